import ts from 'typescript'
import { isSource, projectTexts } from '../../support/source-files.ts'

type Limit = {
  readonly file: string
  readonly name: string
  readonly value: string
  readonly why: string
}

/** Names with a unit or a bound, by the project's naming rules. */
const bounded = /(Max|Min|Ms|Seconds|Minutes|Hours|Days|Bytes)$/

/** Tables in which every number is a limit or a time. */
const tables = /(Times|Limits)$/

/** Names of units of time, which are not limits. */
const units: Readonly<Record<string, number>> = {
  secondMs: 1_000,
  minuteMs: 60_000,
  hourMs: 3_600_000,
  dayMs: 86_400_000,
}

/** Every limit and time in the code: constants, and members of tables of constants. */
function limits(texts: ReadonlyMap<string, string>): readonly Limit[] {
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
  const isUnit = Object.hasOwn(units, name.getText())
  if (bounded.test(name.getText()) && !isUnit) {
    const shown = formatValue(value, name.getText())
    if (shown !== null) return [{ file, name: name.getText(), value: shown, why: own }]
  }
  if (!ts.isObjectLiteralExpression(value) || !tables.test(name.getText())) return []
  return value.properties.flatMap((property) => {
    if (!ts.isPropertyAssignment(property)) return []
    const member = property.name.getText()
    const shown = formatValue(property.initializer, member)
    if (shown === null) return []
    const why = commentOf(source, property) || own
    return [{ file, name: `${name.getText()}.${member}`, value: shown, why }]
  })
}

/** Numbers, arithmetic of numbers and units of time, and lists of them; null for anything else. */
function formatValue(node: ts.Node, name: string): string | null {
  const nodes = ts.isArrayLiteralExpression(node) ? [...node.elements] : [node]
  const numbers = nodes.map(numberOf)
  if (numbers.length === 0 || numbers.includes(null)) return null
  const sizes = sizesOf(name)
  return numbers.map((each) => sized(Number(each), sizes)).join(', ')
}

type Sizes = readonly (readonly [unit: string, size: number])[]

function sizesOf(name: string): Sizes {
  if (/Ms(Min|Max)?$/.test(name)) {
    return [
      ['d', 86_400_000],
      ['h', 3_600_000],
      ['min', 60_000],
      ['s', 1_000],
      ['ms', 1],
    ]
  }
  const sizes = [
    ['MiB', 1_024 * 1_024],
    ['KiB', 1_024],
    ['B', 1],
  ] as const
  return /Bytes(Min|Max)?$/.test(name) ? sizes : []
}

/** In the largest unit without a remainder. */
function sized(value: number, sizes: Sizes): string {
  const found = sizes.find(([, size]) => value % size === 0 && value >= size)
  return found === undefined ? String(value) : `${value / found[1]} ${found[0]}`
}

function numberOf(node: ts.Node): number | null {
  if (ts.isNumericLiteral(node)) return Number(node.text)
  if (ts.isParenthesizedExpression(node)) return numberOf(node.expression)
  if (ts.isIdentifier(node)) return units[node.text] ?? null
  if (!ts.isBinaryExpression(node)) return null
  const [left, right] = [numberOf(node.left), numberOf(node.right)]
  if (left === null || right === null) return null
  switch (node.operatorToken.kind) {
    case ts.SyntaxKind.AsteriskToken:
      return left * right
    case ts.SyntaxKind.AsteriskAsteriskToken:
      return left ** right
    case ts.SyntaxKind.PlusToken:
      return left + right
    case ts.SyntaxKind.MinusToken:
      return left - right
    default:
      return null
  }
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

let read: readonly Limit[] | null = null

/** The limits of this project. Parsing all sources takes a while. */
export function ownLimits(): readonly Limit[] {
  read ??= limits(projectTexts(isSource))
  return read
}
