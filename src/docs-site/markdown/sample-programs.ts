import { clientNames } from '../../client/client-names.ts'
import { javascript, php, python } from '../code-samples/dialects.ts'
import { type Dialect, variablesIn } from '../code-samples/literal.ts'
import { type Call, nodeProgram, phpProgram, pythonProgram } from '../code-samples/programs.ts'
import type { ApiDocument, Sample } from '../site-page.ts'
import { operationOfCall } from './reference-address.ts'

/** A program that makes a sample's call in one language. */
export type Program = {
  readonly label: string
  /** The highlighter's language, also used in element ids. */
  readonly language: string
  readonly source: string
  /** Null for the shell, which reads variables itself. */
  readonly dialect: Dialect | null
}

/** The languages in the order of the tabs. */
const languages = [
  { label: 'Node.js', language: 'js', dialect: javascript, write: nodeProgram },
  { label: 'Python', language: 'python', dialect: python, write: pythonProgram },
  { label: 'PHP', language: 'php', dialect: php, write: phpProgram },
] as const

/** A program that a document shows as one of several tabs. */
export function programIn(language: string, source: string): Program {
  if (language === 'ts') return { label: 'TypeScript', language, source, dialect: javascript }
  const known = languages.find((each) => each.language === language)
  if (known === undefined) throw new Error(`No tab is shown for ${language}.`)
  return { ...known, source }
}

/** The command of a sample, and the same call in other languages. */
export function programsOf(command: string, sample: Sample, api: ApiDocument): readonly Program[] {
  const call = callOf(sample, api)
  return [
    { label: 'curl', language: 'sh', source: command, dialect: null },
    ...languages.map(({ label, language, dialect, write }) => ({
      label,
      language,
      dialect,
      source: write(call),
    })),
  ]
}

/** The variables that a sample uses, including the service's address and key. */
export function variablesOf({ path, body, headers }: Sample): readonly string[] {
  const text = [path, body ?? '', ...Object.values(headers)].join('\n')
  return variablesIn(`$SHIPPING_LEDGER_URL ${text}`)
}

function callOf(sample: Sample, api: ApiDocument): Call {
  const { operation, template } = operationOfCall(api, sample)
  const {
    Authorization: authorization,
    'Content-Type': _,
    'Idempotency-Key': key,
    'Sandbox-Scenario': scenario,
    ...others
  } = sample.headers
  if (authorization !== 'Bearer $SHIPPING_LEDGER_KEY' || Object.keys(others).length > 0)
    throw new Error(`No program is written with the headers of ${sample.method} ${sample.path}.`)
  const body = sample.body === null ? undefined : JSON.parse(sample.body)
  return {
    client: clientNames(operation),
    method: sample.method,
    address: sample.path,
    fields: { ...fieldsOfAddress(sample.path, template), ...body },
    key,
    scenario,
    body,
    answer: answerOf(sample, Object.keys(operation.responses)),
    mayBeRefused: sample.mayBeRefused,
  }
}

/** The path and query parameters of an address, by name. */
function fieldsOfAddress(address: string, template: string): Record<string, string | number> {
  const [path = '', query] = address.split('?')
  const called = path.split('/')
  const inPath = template
    .split('/')
    .flatMap((part, at) => (part.startsWith('{') ? [[part.slice(1, -1), called[at] ?? '']] : []))
  const inQuery = [...new URLSearchParams(query)].map(([name, value]) => [
    name,
    /^\d+$/.test(value) ? Number(value) : value,
  ])
  return Object.fromEntries([...inPath, ...inQuery])
}

/** The kind of response. A list is shown as one page. */
function answerOf({ file }: Sample, statuses: readonly string[]): Call['answer'] {
  if (file !== null) return { file }
  return statuses.includes('204') ? 'nothing' : 'json'
}
