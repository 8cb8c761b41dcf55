import { join } from 'node:path'
import ts from 'typescript'
import { projectRoot } from './source-files.ts'

/** Parsed files, including the compiler's libraries, whose text no caller replaces. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/**
 * The compiler's errors for these files with some texts replaced, one per line: `file: message`.
 */
export function compilerErrors(
  files: readonly string[],
  changed: ReadonlyMap<string, string>,
): readonly string[] {
  const { config } = ts.readConfigFile(join(projectRoot, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, projectRoot)
  const host = ts.createCompilerHost(options)
  const texts = new Map([...changed].map(([file, text]) => [join(projectRoot, file), text]))
  const readFile = host.readFile
  host.readFile = (file) => texts.get(file) ?? readFile(file)
  const getSourceFile = host.getSourceFile
  host.getSourceFile = (file, version) => {
    const text = texts.get(file)
    if (text !== undefined) return ts.createSourceFile(file, text, version)
    if (!parsed.has(file)) parsed.set(file, getSourceFile(file, version))
    return parsed.get(file)
  }
  const program = ts.createProgram(
    files.map((file) => join(projectRoot, file)),
    options,
    host,
  )
  return files.flatMap((file) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(join(projectRoot, file)))
      .map(({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`),
  )
}
