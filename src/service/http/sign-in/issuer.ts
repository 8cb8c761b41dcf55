import * as oidc from 'openid-client'

export type SignInSettings = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The claim with a person's role, or a path to it; null = everyone is an operator. */
  readonly roleClaim: string | null
  /** Without a path or a slash at the end. */
  readonly publicUrl: string
}

/** Whom the issuer says the person is. Never logged or stored. */
export type Account = {
  readonly subject: string
  /** Null unless the issuer has verified it. */
  readonly email: string | null
  readonly claims: Readonly<Record<string, unknown>>
}

/** What only this sign-in knows, to be sealed into the state. */
export type Proofs = { readonly pkceVerifier: string; readonly nonce: string }

/** The issuer did not answer, or not in a way that its protocol allows. Trying again may help. */
export class IssuerAway extends Error {
  override readonly name = 'IssuerAway'
}

/** The issuer refused, or its answer did not prove anything. */
export class IssuerRefused extends Error {
  override readonly name = 'IssuerRefused'
}

/** A person is waiting, and a page cannot be served before the issuer has answered. */
const timeoutSeconds = 8
/** How long the issuer's metadata counts as fresh. Its keys are read again when they change. */
const metadataMs = 10 * 60_000

/** The client of the configured issuer. One per process. */
export class Issuer {
  readonly #settings: SignInSettings
  #known: { readonly config: oidc.Configuration; readonly readAt: number } | null = null

  constructor(settings: SignInSettings) {
    this.#settings = settings
  }

  get #redirectUri(): string {
    return `${this.#settings.publicUrl}/console/sign-in/callback`
  }

  /**
   * The address at the issuer where the person signs in. `again`: the issuer asks for the account
   * even if it knows one. Throws IssuerAway, so that nobody is sent to an address without an answer.
   */
  async addressOf(proofs: Proofs, state: string, again: boolean): Promise<URL> {
    const config = await this.#readAgain()
    return oidc.buildAuthorizationUrl(config, {
      redirect_uri: this.#redirectUri,
      scope: 'openid email profile',
      state,
      nonce: proofs.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(proofs.pkceVerifier),
      code_challenge_method: 'S256',
      ...(again ? { prompt: promptFor(config) } : {}),
    })
  }

  /**
   * Exchanges the code of the callback's query for the account, whose ID token is verified. Throws
   * IssuerAway or IssuerRefused.
   */
  async accountOf(query: URLSearchParams, proofs: Proofs, state: string): Promise<Account> {
    const config = await this.#config()
    const url = new URL(this.#redirectUri)
    url.search = query.toString()
    try {
      const tokens = await oidc.authorizationCodeGrant(config, url, {
        pkceCodeVerifier: proofs.pkceVerifier,
        expectedState: state,
        expectedNonce: proofs.nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new IssuerRefused('there is no ID token')
      // Some issuers put only the subject into the ID token.
      const more =
        config.serverMetadata().userinfo_endpoint === undefined || isWhole(claims, this.#settings)
          ? {}
          : await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
      return accountFrom({ ...more, ...claims })
    } catch (error) {
      throw asFailure(error)
    }
  }

  /** The metadata and keys of at most ten minutes ago. */
  async #config(): Promise<oidc.Configuration> {
    const isFresh = this.#known !== null && performance.now() - this.#known.readAt < metadataMs
    return this.#known !== null && isFresh ? this.#known.config : await this.#readAgain()
  }

  async #readAgain(): Promise<oidc.Configuration> {
    const config = await this.#discover()
    this.#known = { config, readAt: performance.now() }
    return config
  }

  async #discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings
    const url = new URL(issuer)
    try {
      const config = await oidc.discovery(url, clientId, {}, authenticationFor(clientSecret), {
        timeout: timeoutSeconds,
        // The configuration allows http only on this machine.
        execute: [
          oidc.enableNonRepudiationChecks,
          ...(url.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
        ],
      })
      config.timeout = timeoutSeconds
      return config
    } catch (error) {
      throw new IssuerAway(`its metadata cannot be read (${codeOf(error)})`)
    }
  }
}

/** As the issuer wants it: in the header, which is the default of the protocol, or in the body. */
function authenticationFor(secret: string): oidc.ClientAuth {
  const inHeader = oidc.ClientSecretBasic(secret)
  const inBody = oidc.ClientSecretPost(secret)
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const way = methods.includes('client_secret_basic') ? inHeader : inBody
    return way(server, client, body, headers)
  }
}

function promptFor(config: oidc.Configuration): string {
  const { prompt_values_supported: known } = config.serverMetadata()
  const isListed = Array.isArray(known) && !known.includes('select_account')
  return isListed ? 'login' : 'select_account'
}

type Claims = Readonly<Record<string, unknown>>

function isWhole(claims: Claims, { roleClaim }: SignInSettings): boolean {
  const hasRole = roleClaim === null || claimAt(claims, roleClaim) !== undefined
  return claims.email !== undefined && hasRole
}

function accountFrom(claims: Claims & { readonly sub: string }): Account {
  const { sub: subject, email, email_verified: verified, xms_edov: ownsDomain } = claims
  // Microsoft Entra says with xms_edov that the owner of the address's domain was verified.
  const isVerified = verified === true || [true, 1, '1', 'true'].includes(ownsDomain as string)
  return { subject, email: isVerified && typeof email === 'string' ? email : null, claims }
}

/** A claim by its name, or else by a path of names. */
export function claimAt(claims: Claims, name: string): unknown {
  if (claims[name] !== undefined) return claims[name]
  return name.split('.').reduce<unknown>((value, part) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, part)
    return isObject ? (value as Claims)[part] : undefined
  }, claims)
}

/** Errors of the library may contain what the issuer sent, so only their kind is passed on. */
function asFailure(error: unknown): IssuerAway | IssuerRefused {
  if (error instanceof IssuerRefused) return error
  const code = codeOf(error)
  const isAway =
    /TIMEOUT|HTTP_REQUEST_FORBIDDEN|fetch failed|RESPONSE_IS_NOT/.test(code) ||
    statusOf(error) >= 500
  return isAway ? new IssuerAway(code) : new IssuerRefused(code)
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code, error: reason } = error as { code?: unknown; error?: unknown }
  const isTransport = error instanceof TypeError && error.message === 'fetch failed'
  if (isTransport || error.name === 'TimeoutError') return 'fetch failed'
  return [code, reason].filter((part) => typeof part === 'string').join(' ') || error.name
}

function statusOf(error: unknown): number {
  const { status, cause } = Object(error) as { status?: unknown; cause?: unknown }
  if (typeof status === 'number') return status
  const { status: inner } = Object(cause) as { status?: unknown }
  return typeof inner === 'number' ? inner : 0
}
