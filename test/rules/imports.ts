import { posix } from 'node:path'
import ts from 'typescript'
import { exportedNames, parse, visit } from './syntax.ts'

/** A file's imports, `import type` and re-exports included: paths from the top, or package names. */
export function importsOf(file: string, text: string): readonly string[] {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) =>
      fileName.startsWith('.') ? posix.join(posix.dirname(file), fileName) : fileName,
    )
}

/** The part of the code that a file belongs to: its house, and in the service its room. */
export function partOf(file: string): string {
  const [top, house = '', room = ''] = file.split('/')
  if (top !== 'src') return top ?? ''
  return (house === 'service' ? room : house).replace(/\.tsx?$/, '')
}

/** Every import that the table does not allow, as a sentence. */
export function forbiddenImports(
  texts: ReadonlyMap<string, string>,
  allowed: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const found: string[] = []
  for (const [file, text] of texts) {
    const from = partOf(file)
    for (const target of importsOf(file, text)) {
      if (!target.includes('/') || !/^(src|projections|test)\//.test(target)) continue
      const to = partOf(target)
      if (to !== from && !allowed[from]?.includes(to)) {
        found.push(`${file} may not import ${target}`)
      }
    }
  }
  return found
}

/** Each cycle of imports once, as its path. */
export function importCycles(texts: ReadonlyMap<string, string>): readonly string[] {
  const found: string[] = []
  const done = new Set<string>()
  const walk = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file)
    if (at !== -1) found.push([...path.slice(at), file].join(' → '))
    if (at !== -1 || done.has(file)) return
    for (const target of importsOf(file, texts.get(file) ?? '')) {
      if (texts.has(target)) walk(target, [...path, file])
    }
    done.add(file)
  }
  for (const file of texts.keys()) walk(file, [])
  return found
}

/** Every name that a file takes from another, as `path name`; `path *` for all of them. */
function takenNames(file: string, text: string): readonly string[] {
  const found: string[] = []
  const take = (from: ts.Node | undefined, names: readonly string[]) => {
    if (from === undefined || !ts.isStringLiteral(from) || !from.text.startsWith('.')) return
    const target = posix.join(posix.dirname(file), from.text)
    for (const name of names) found.push(`${target} ${name}`)
  }
  visit(parse(file, text), (node) => {
    if (ts.isImportDeclaration(node)) take(node.moduleSpecifier, importedNames(node.importClause))
    else if (ts.isExportDeclaration(node))
      take(node.moduleSpecifier, listedNames(node.exportClause))
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      take(node.argument.literal, ['*'])
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      take(node.arguments[0], ['*'])
    }
  })
  return found
}

function importedNames(clause: ts.ImportClause | undefined): readonly string[] {
  if (clause === undefined) return []
  const own = clause.name === undefined ? [] : ['default']
  return clause.namedBindings === undefined ? own : [...own, ...listedNames(clause.namedBindings)]
}

function listedNames(list: ts.NamedImportBindings | ts.NamedExportBindings | undefined) {
  if (list === undefined || !('elements' in list)) return ['*']
  return list.elements.map(({ propertyName, name }) => (propertyName ?? name).text)
}

/** Exports of these files that no other file takes, as `path name`. */
export function unusedExports(
  files: ReadonlyMap<string, string>,
  takers: ReadonlyMap<string, string>,
): readonly string[] {
  const taken = new Set([...takers].flatMap(([file, text]) => takenNames(file, text)))
  return [...files].flatMap(([file, text]) =>
    taken.has(`${file} *`)
      ? []
      : exportedNames(file, text)
          .map((name) => `${file} ${name}`)
          .filter((each) => !taken.has(each)),
  )
}
