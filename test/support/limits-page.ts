import ts from 'typescript'
import { isSource, projectTexts } from './source-files.ts'

type Limit = {
  readonly file: string
  readonly name: string
  readonly value: string
  readonly why: string
}

/** Names that carry a unit or a bound, as the house's style has it. */
const bounded = /(Max|Min|Ms|Seconds|Minutes|Hours|Days|Bytes)$/

/** Names of units of time, which nobody chose. */
const units = /^(second|minute|hour|day)Ms$/

/** Every chosen number of the code: constants, and the members of tables of constants. */
export function limits(texts: ReadonlyMap<string, string>): readonly Limit[] {
  return [...texts].flatMap(([file, text]) => {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    return source.statements.flatMap((statement) => {
      if (!ts.isVariableStatement(statement)) return []
      if ((statement.declarationList.flags & ts.NodeFlags.Const) === 0) return []
      return statement.declarationList.declarations.flatMap((declaration) =>
        limitsOf(source, statement, declaration),
      )
    })
  })
}

function limitsOf(
  source: ts.SourceFile,
  statement: ts.VariableStatement,
  { name, initializer }: ts.VariableDeclaration,
): readonly Limit[] {
  if (initializer === undefined) return []
  const value = ts.isAsExpression(initializer) ? initializer.expression : initializer
  const file = source.fileName
  const own = commentOf(source, statement)
  if (isNumber(value) && bounded.test(name.getText())) {
    if (units.test(name.getText())) return []
    return [{ file, name: name.getText(), value: value.getText(), why: own }]
  }
  if (!ts.isObjectLiteralExpression(value)) return []
  return value.properties.flatMap((property) => {
    if (!ts.isPropertyAssignment(property) || !isNumber(property.initializer)) return []
    const member = property.name.getText()
    if (!bounded.test(member)) return []
    const why = commentOf(source, property) || own
    const value = property.initializer.getText()
    return [{ file, name: `${name.getText()}.${member}`, value, why }]
  })
}

/** A number, or arithmetic of numbers. */
function isNumber(node: ts.Node): boolean {
  if (ts.isNumericLiteral(node)) return true
  if (ts.isParenthesizedExpression(node)) return isNumber(node.expression)
  return ts.isBinaryExpression(node) && isNumber(node.left) && isNumber(node.right)
}

function commentOf(source: ts.SourceFile, node: ts.Node): string {
  const ranges = ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []
  const last = ranges.at(-1)
  if (last === undefined) return ''
  return source.text
    .slice(last.pos, last.end)
    .replace(/^\/\*\*?|\*\/$|^\s*\*(?!\/)|^\/\//gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The text of docs/limits.md. */
export function limitsPage(): string {
  const found = limits(projectTexts(isSource))
  const sections = [...Map.groupBy(found, ({ file }) => file)].map(([file, rows]) => {
    const lines = rows.map(
      ({ name, value, why }) => `| \`${name}\` | ${shown(value)} | ${why.replaceAll('|', '\\|')} |`,
    )
    return `## ${file}\n\n| name | value | why |\n|---|---|---|\n${lines.join('\n')}\n`
  })
  return `# Limits and times

Generated from the constants in the code, with their comments, by \`npm run generate\`. Units are the
last word of a name. What a table's members have in common is its own comment.

${sections.join('\n')}`
}

function shown(value: string): string {
  return value.replaceAll('_', '').replaceAll('*', '×').replace(/\s+/g, ' ')
}
