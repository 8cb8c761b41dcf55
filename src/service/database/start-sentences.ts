import { sessionsPerProcessMax } from './sessions/sessions-per-process.ts'

type DriverError = Error & {
  readonly code?: string
  readonly path?: string
  readonly errors?: readonly { readonly code?: string }[]
}

/** Why the database at `place` cannot be used, and what to do. Quotes neither user nor password. */
export function startSentence(place: string, url: string, error: unknown): string {
  const { message, path, ...known } = error as DriverError
  const code = known.code ?? known.errors?.[0]?.code
  if (path !== undefined) {
    return `${fileOf(url, path)} in the address of ${lowerFirst(place)} names a file that cannot be read (${code}): name the right file, and let this user read it.`
  }
  const parameter = /unsupported startup parameter(?: in options)?: (\w+)/.exec(message)?.[1]
  if (parameter !== undefined) {
    return `${place} is behind a pooler that refuses the startup parameter ${parameter}: remove it from the address and from PGOPTIONS, or add it to PgBouncer's ignore_startup_parameters.`
  }
  if (code !== undefined && untrusted.has(code)) {
    return `${place} presents a certificate whose authority is not trusted here (${code}): add the file with the authority's certificate to the address, as sslrootcert=FILE.`
  }
  const sentence = code === undefined ? undefined : sentences[code]
  if (sentence !== undefined) return `${place} ${sentence}`
  const unnamed = unnamedSentences.find(([pattern]) => pattern.test(message))
  if (unnamed !== undefined) return `${place} ${unnamed[1]}`
  const reason = code === undefined ? reasonOf(message) : (reasons[code] ?? code)
  return `${place} cannot be used (${reason}): check that it runs and that the address, user, password and database name are correct.`
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** The parameter of the address that refers to the file. */
function fileOf(url: string, path: string): string {
  const found = [...new URL(url).searchParams].find(([, value]) => value === path)
  return found?.[0] ?? 'A parameter'
}

/** Node.js's codes for a certificate that no known authority has signed. */
const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

const sentences: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID:
    'presents a certificate for another host: use the host name in the certificate as the address.',
  CERT_HAS_EXPIRED: 'presents a certificate that has expired: renew it.',
  CERT_NOT_YET_VALID:
    'presents a certificate that is not valid yet: check the clocks of this machine and of the one that issued it.',
  '53300': `has no session left: end others, or raise max_connections or the role's CONNECTION LIMIT. One process uses up to ${sessionsPerProcessMax}.`,
  '57P03':
    'accepts no sessions because it is starting, stopping or recovering: start again when it is ready.',
}

const unnamedSentences: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [
    /does not support SSL/,
    'does not support TLS: enable TLS in the server, or remove sslmode from the address.',
  ],
  [
    /^Query read timeout$/,
    `accepts connections but starts no session: if a pooler is in front of it, raise its pool size. One process uses up to ${sessionsPerProcessMax}.`,
  ],
]

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening there',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host is not known',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'it does not answer',
  '28P01': 'the password is wrong',
  '28000': 'the user may not connect',
  '3D000': 'there is no such database',
}

function reasonOf(message: string): string {
  return /timeout/i.test(message) ? 'it does not answer' : 'it gave no reason'
}
