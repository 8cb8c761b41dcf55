import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Context } from 'oidc-provider'

type Test = { teardown(fn: () => Promise<unknown>): unknown }
type Claims = Readonly<Record<string, unknown>>

const clientId = 'shipping-ledger'

export type TestIssuer = {
  /** The settings of a service that trusts it. */
  readonly settings: {
    readonly issuer: string
    readonly clientId: string
    readonly clientSecret: string
    readonly publicUrl: string
    readonly roleClaim: string | null
  }
  /** The claims of the accounts, by the login, which is also the subject. */
  readonly accounts: Map<string, Claims>
  /** Refuses connections until it is opened again. */
  close(): Promise<void>
  open(): Promise<void>
}

/** A real OpenID Connect issuer on a real socket, for the service at `publicUrl`. */
export async function testIssuer(
  t: Test,
  publicUrl: string,
  { roleClaim = null }: { readonly roleClaim?: string | null } = {},
): Promise<TestIssuer> {
  const accounts = new Map<string, Claims>()
  const server = createServer()
  await listening(server, 0)
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const clientSecret = randomBytes(24).toString('base64url')
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${publicUrl}/console/sign-in/callback`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'desk'] },
    features: { devInteractions: { enabled: true } },
    discovery: { prompt_values_supported: ['none', 'login', 'consent'] },
    pkce: { required: () => true },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    jwks: { keys: [signingKey()] },
    ttl: { Session: 3_600, Grant: 3_600, Interaction: 600, AccessToken: 600, IdToken: 600 },
    findAccount: async (_context: unknown, login: string) => ({
      accountId: login,
      claims: async () => ({ sub: login, ...accounts.get(login) }),
    }),
    // A company's own issuer does not ask each person whether the console may know the address.
    loadExistingGrant: async ({ oidc }: Context) => {
      const { accountId } = oidc.session
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  server.on('request', provider.callback())
  const close = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  t.teardown(close)
  return {
    settings: { issuer, clientId, clientSecret, publicUrl, roleClaim },
    accounts,
    close,
    open: () => listening(server, port),
  }
}

async function listening(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

function signingKey(): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }
}

/** Signs in at the issuer as a browser would, and returns the address that it leads back to. */
export async function signInAt(start: string, login: string, publicUrl: string): Promise<string> {
  const jar = new Map<string, string>()
  let next = new URL(start)
  let form: URLSearchParams | null = null
  for (let step = 0; step < 12; step++) {
    const answer: Response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
      ...(form === null ? {} : { method: 'POST', body: form }),
    })
    form = null
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location === null) {
      const [, action = ''] = /action="([^"]+)"/.exec(await answer.text()) ?? []
      next = new URL(action, next)
      form = new URLSearchParams({ prompt: 'login', login, password: 'any' })
      continue
    }
    next = new URL(location, next)
    if (next.href.startsWith(`${publicUrl}/console/sign-in/callback`)) return next.href
  }
  throw new Error('the issuer did not lead back')
}
