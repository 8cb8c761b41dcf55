import ts from 'typescript'

export type Measured = { readonly name: string; readonly lines: number }

function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node)
  ts.forEachChild(node, (child) => visit(child, see))
}

/** Functions longer than `linesMax`, by name; one inside another counts for both. */
export function longFunctions(file: string, text: string, linesMax: number): readonly Measured[] {
  const source = parse(file, text)
  const found: Measured[] = []
  visit(source, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return
    const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line
    const last = source.getLineAndCharacterOfPosition(node.end).line
    const lines = last - first + 1
    if (lines > linesMax) found.push({ name: nameOf(node), lines })
  })
  return found
}

function nameOf(node: ts.Node): string {
  if (ts.isFunctionLike(node) && node.name !== undefined) return node.name.getText()
  const parent = node.parent
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent))
    return parent.name.getText()
  return 'a function without a name'
}

/** What a file declares at its top: functions, classes, types and constants. */
export function declaredNames(file: string, text: string): readonly string[] {
  const names: string[] = []
  for (const statement of parse(file, text).statements) {
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) names.push(name.getText())
    } else if (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement)
    ) {
      if (statement.name !== undefined) names.push(statement.name.text)
    }
  }
  return names
}

export type TestCall = { readonly title: string; readonly hasBody: boolean }

/**
 * The tests of a file by their titles: calls of `t.test` and of a contract's `promise`. Where a title
 * is put together, `…` stands for each piece.
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
