import ts from 'typescript'

function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node)
  ts.forEachChild(node, (child) => visit(child, see))
}

/** The top-level declarations of a file: functions, classes, types and constants. */
export function declaredNames(file: string, text: string): readonly string[] {
  return parse(file, text).statements.flatMap(namesOf)
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement)
  return isNamed && statement.name !== undefined ? [statement.name.text] : []
}

export type TestCall = { readonly title: string; readonly hasBody: boolean }

/**
 * The tests of a file by title: calls of `t.test` and of a contract's `promise`. In a composed
 * title, `…` stands for each inserted piece.
 */
export function testCalls(file: string, text: string): readonly TestCall[] {
  const found: TestCall[] = []
  visit(parse(file, text), (node) => {
    if (!ts.isCallExpression(node) || !isTest(node.expression)) return
    const [title] = node.arguments
    if (title === undefined) return
    const hasBody = node.arguments.some((argument) => ts.isFunctionLike(argument))
    if (ts.isStringLiteralLike(title)) found.push({ title: title.text, hasBody })
    if (ts.isTemplateExpression(title)) {
      const pieces = title.templateSpans.map((span) => `…${span.literal.text}`)
      found.push({ title: title.head.text + pieces.join(''), hasBody })
    }
  })
  return found
}

function isTest(called: ts.Expression): boolean {
  if (ts.isIdentifier(called)) return called.text === 'promise'
  if (!ts.isPropertyAccessExpression(called) || called.name.text !== 'test') return false
  return ts.isIdentifier(called.expression) && called.expression.text === 't'
}
