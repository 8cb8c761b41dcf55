import { posix } from 'node:path'
import ts from 'typescript'

/** A file's imports, `import type` and re-exports included: paths from the top, or package names. */
export function importsOf(file: string, text: string): readonly string[] {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) =>
      fileName.startsWith('.') ? posix.join(posix.dirname(file), fileName) : fileName,
    )
}

/** The part of the code that a file belongs to: its folder, or its own name at the top of src. */
export function partOf(file: string): string {
  const [top, name = ''] = file.split('/')
  if (top !== 'src') return top ?? ''
  return name.replace(/\.tsx?$/, '')
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
