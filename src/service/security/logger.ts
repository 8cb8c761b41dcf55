import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import { default as pretty } from 'pino-pretty'
import { redact } from './redaction.ts'

export type LoggerOptions = {
  readonly level: string
  /** Formats lines for a terminal instead of writing JSON. */
  readonly pretty: boolean
  /** Default: standard output. */
  readonly destination?: DestinationStream
}

/** Characters of lines waiting to be written to standard output; more are dropped. */
const waitingMax = 4 * 1024 * 1024
/** Longer messages and codes are truncated: they carry no more information. */
const textLengthMax = 500
/** Nested causes that are logged. Deeper chains repeat themselves. */
const causesMax = 3
const framesMax = 15
/** Besides numbers, booleans and times, fields whose names have one of these endings are logged. */
const loggedEndings = /(?:Id|Ids|Code|Codes|Ms|At|Count|Bytes|Version|Position|Revision)$/
const loggedNames = new Set(
  `
  address answer attempt cause code command component courier generation host id kind
  duty isListed isTold level method mode name outcome phase pid pids port position process projection provider
  reason result role roles route scenario setting signal state status step stream task tries type
  version witness witnessSize work worker
  `
    .trim()
    .split(/\s+/),
)
const withheld = '[not logged]'

/**
 * The only logger. It logs ids, codes, numbers and times. Other fields are withheld, the data
 * quoted in error messages is removed, and every line passes through `redact`. No message contains
 * free text.
 */
export function logger(options: LoggerOptions): Logger {
  const { pretty: isPretty } = options
  // Lines are buffered and written asynchronously; the last ones are flushed before exit.
  const lines = isPretty ? { sync: true } : { sync: false, maxLength: waitingMax }
  const destination = options.destination ?? pino.destination({ fd: 1, ...lines })
  const stream = isPretty
    ? pretty({
        destination: destination as NodeJS.WritableStream,
        sync: true,
        ignore: 'pid,hostname',
      })
    : destination
  const root = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: known },
      serializers: {
        err: describedOnce,
        error: describedOnce,
        req: describeRequest,
        res: describeReply,
      },
      hooks: { streamWrite: redact, logMethod: plainMessage },
    },
    stream,
  )
  // pino does not apply formatters to a child's bindings.
  const child = root.child
  root.child = function knownChild(this: Logger, ...[bindings, ...rest]: Parameters<typeof child>) {
    return child.call(this, known(bindings), ...rest)
  } as typeof child
  return root
}

/**
 * Logs only the literal message in the code: pino would use an error's message as the line's
 * message, and interpolate values into it.
 */
function plainMessage(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const [first, second] = args as unknown as [unknown, unknown]
  if (typeof first === 'string') {
    method.call(this, {}, first)
    return
  }
  const fields = first instanceof Error ? { err: first } : (first as Record<string, unknown>)
  const error = fields?.err
  const saysNothingNew =
    error instanceof Error && (second === undefined || second === error.message)
  method.call(this, fields, saysNothingNew ? error.name : (second as string | undefined))
}

function describedOnce(value: unknown): unknown {
  return value instanceof Error ? describeError(value) : value
}

function known(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'req' || name === 'res') kept[name] = value
    else if (value instanceof Error) kept[name] = describeError(value)
    else kept[name] = knownValue(name, value)
  }
  return kept
}

function knownValue(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return value
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (!loggedNames.has(name) && !loggedEndings.test(name)) return withheld
  if (typeof value === 'string') return value.slice(0, textLengthMax)
  if (Array.isArray(value)) return value.slice(0, 20).map((item) => knownValue(name, item))
  return withheld
}

type DescribedError = {
  readonly name: string
  readonly code?: string
  readonly message: string
  readonly stack: string
  readonly issues?: readonly { readonly code: string; readonly at: string }[]
  readonly cause?: DescribedError
}

/** The loggable part of an error, without the values that it quotes. */
function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { name: typeof error, message: withheld, stack: '' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const issues = issuesOf(error)
  return {
    name: error.name,
    ...(code === undefined ? {} : { code }),
    message: redact(messageOf(error, code, issues !== undefined)).slice(0, textLengthMax),
    stack: redact(framesOf(error)),
    ...(issues === undefined ? {} : { issues }),
    ...(error.cause === undefined || depth >= causesMax
      ? {}
      : { cause: describeError(error.cause, depth + 1) }),
  }
}

/**
 * Replaces messages that quote data: PostgreSQL puts values into those of classes 22 (data) and 23
 * (constraints), parsers quote their input, and schemas list the given values.
 */
function messageOf(error: Error, code: string | undefined, isSchemaError: boolean): string {
  if (isSchemaError) return 'does not fit its schema'
  if (error instanceof SyntaxError) return 'could not be parsed'
  if (code !== undefined && /^2[23][0-9A-Z]{3}$/.test(code)) return 'the database refused a value'
  return error.message
}

/** Only the stack's frames: its first lines repeat the message. */
function framesOf(error: Error): string {
  const lines = (error.stack ?? '').split('\n')
  const frames = lines.filter((line) => /^\s+at /.test(line))
  return frames.slice(0, framesMax).join('\n')
}

/**
 * The codes of a schema's issues and the first part of their paths. Further parts may be keys that
 * a client chose.
 */
function issuesOf(error: Error): DescribedError['issues'] {
  if (!('issues' in error) || !Array.isArray(error.issues)) return undefined
  return error.issues.slice(0, 20).map((issue: { code?: unknown; path?: readonly unknown[] }) => ({
    code: String(issue.code),
    at: String(issue.path?.[0] ?? ''),
  }))
}

type RequestLike = {
  readonly id?: unknown
  readonly method?: unknown
  readonly routeOptions?: { readonly url?: unknown }
}

/** Logs the route's pattern, not the URL, which contains the client's data. */
function describeRequest(request: RequestLike) {
  return { id: request.id, method: request.method, route: request.routeOptions?.url ?? null }
}

function describeReply(reply: { readonly statusCode?: unknown }) {
  return { statusCode: reply.statusCode }
}
