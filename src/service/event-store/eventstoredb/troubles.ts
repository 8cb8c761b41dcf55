import type { StoreTrouble } from '../event-store.ts'

/**
 * Reasons why EventStoreDB cannot be used, as the client's errors reveal them, each with a sentence that
 * says what to do. No sentence contains any part of the address. `passes`: a server that is still
 * starting may report it too.
 */
const troubles = {
  user_rejected: {
    passes: true,
    sentence:
      'EventStoreDB does not accept the user name and password in EVENT_STORE_URL: correct them, or create the user with the command `event-store user create`.',
  },
  credentials_missing: {
    passes: false,
    sentence:
      'EventStoreDB requires a user, and EVENT_STORE_URL names none: put `name:password@` before the host.',
  },
  may_not_read: {
    passes: false,
    sentence:
      'The user in EVENT_STORE_URL may not read $all, or the streams of the ledger, in EventStoreDB: grant it that with the command `event-store user create`.',
  },
  may_not_write: {
    passes: false,
    sentence:
      'The user in EVENT_STORE_URL may not write to the streams of the ledger in EventStoreDB: grant it that with the command `event-store user create`.',
  },
  authority_unknown: {
    passes: false,
    sentence:
      "The certificate of EventStoreDB is signed by an authority that is not trusted here: name the file of the authority's certificate in EVENT_STORE_URL as `tlsCAFile`.",
  },
  certificate_expired: {
    passes: false,
    sentence:
      'The certificate of EventStoreDB has expired or is not valid yet: renew it, and check the clocks of both machines.',
  },
  certificate_name: {
    passes: false,
    sentence:
      'The certificate of EventStoreDB is not for the host that is called: use a host name of the certificate in EVENT_STORE_URL and as the address that the node advertises, or issue a certificate for this one.',
  },
  tls_to_plain: {
    passes: false,
    sentence:
      'EventStoreDB answers without TLS, and EVENT_STORE_URL asks for TLS: give the server a certificate, or add `tls=false` if it is on a private network.',
  },
  plain_to_tls: {
    passes: true,
    sentence:
      'EventStoreDB closes connections without TLS: remove `tls=false` from EVENT_STORE_URL if the server has certificates, otherwise check that it runs.',
  },
  not_ready: {
    passes: true,
    sentence:
      'EventStoreDB answers but is not ready or has no leader: check that more than half of the nodes of the cluster run and reach each other.',
  },
} as const satisfies Readonly<Record<string, { passes: boolean; sentence: string }>>

type TroubleCode = keyof typeof troubles

/** Messages of the TLS library and the transport, which have no codes at this depth. */
const byText: readonly (readonly [RegExp, TroubleCode])[] = [
  [
    /self[- ]signed certificate|unable to (verify the first|get (local )?issuer) certificate/i,
    'authority_unknown',
  ],
  [/certificate (has expired|is not yet valid)/i, 'certificate_expired'],
  [/certificate's altnames/i, 'certificate_name'],
  [/wrong version number|packet length too long/i, 'tls_to_plain'],
  [/Server Is (Not Ready|Too Busy)|No leader info available/i, 'not_ready'],
]

/** gRPC's code for credentials that the server rejects. */
const unauthenticated = 16

type ClientError = {
  readonly type?: unknown
  readonly code?: unknown
  readonly message?: unknown
  readonly cause?: unknown
}

/** The problem that the error of a call reveals; null if it reveals only that there was no answer. */
export function troubleOf(
  error: unknown,
  call: 'read' | 'append',
  url: string,
): StoreTrouble | null {
  const code = codeOf(error, call, url)
  return code === null ? null : { code, ...troubles[code] }
}

function codeOf(error: unknown, call: 'read' | 'append', url: string): TroubleCode | null {
  if (typeof error !== 'object' || error === null) return null
  const { type, code, message, cause } = error as ClientError
  if (type === 'access-denied') {
    if (!hasCredentials(url)) return 'credentials_missing'
    if (code === unauthenticated) return 'user_rejected'
    return call === 'append' ? 'may_not_write' : 'may_not_read'
  }
  const text = typeof message === 'string' ? message : ''
  const found = byText.find(([pattern]) => pattern.test(text))?.[1]
  if (found !== undefined) return found
  // The connection was opened, then closed before any protocol data.
  if (/Last error: Failed to connect/.test(text) && isPlain(url)) return 'plain_to_tls'
  return cause === undefined ? null : codeOf(cause, call, url)
}

function hasCredentials(url: string): boolean {
  return /^[^:]+:\/\/[^/?]*@/.test(url)
}

function isPlain(url: string): boolean {
  return /[?&]tls=false(&|$)/i.test(url)
}
