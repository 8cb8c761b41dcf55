import type { Kysely } from 'kysely'
import { randomNonce, randomPKCECodeVerifier } from 'openid-client'
import type { Tables } from '../../../../projections/tables.ts'
import { platform } from '../../domain/ids.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import type { Log } from '../../log.ts'
import { createApiKey, newKeyId, type Peppers, revokeApiKey } from '../../security/api-keys.ts'
import { audit } from '../../security/audit.ts'
import { scopesOfRole } from '../../security/scopes.ts'
import { type Account, Issuer, IssuerAway, IssuerRefused, type SignInSettings } from './issuer.ts'
import { type Candidate, operatorsOf, roleOf } from './known-operators.ts'
import { stateSeal } from './sealed-state.ts'
import { type Choice, createCode, type Redemption, redeemCode } from './sign-in-codes.ts'

/** A working day. */
const sessionMs = 8 * 3_600_000
/** Sign-ins of one operator and mode that may be active at once; the oldest ends. */
const sessionsMax = 20
const keyName = 'Console sign-in'

/** Why nobody was signed in. The console has a sentence for each. */
export type SignInRefusal =
  | 'service_away'
  | 'issuer_away'
  | 'issuer_refused'
  | 'cancelled'
  | 'too_late'
  | 'too_many'
  | 'unknown_account'
  | 'email_not_verified'
  | 'operator_disabled'
  | 'no_role'

type Deps = {
  /** Without the tenant fence: until the code is used, nobody is known. */
  readonly db: Kysely<Tables>
  readonly store: EventStore
  readonly pepper: Peppers
  readonly log: Log
  readonly settings: SignInSettings
}

type Start = {
  /** The base64url SHA-256 of what only the tab knows. */
  readonly challenge: string
  readonly livemode: boolean
  /** Let the issuer ask for the account again. */
  readonly again: boolean
}

/** A one-time code, or why there is none. */
type Finished = SignInRefusal | { readonly code: string }

/**
 * Signs operators in to the console through the OpenID Connect issuer. Between the requests of one
 * sign-in there is no cookie: the state is sealed and travels along, and the tab proves with its
 * verifier that it is the one that began.
 */
export class SignIn {
  readonly #deps: Deps
  readonly #issuer: Issuer
  readonly #state: ReturnType<typeof stateSeal>

  constructor(deps: Deps) {
    this.#deps = deps
    this.#issuer = new Issuer(deps.settings)
    this.#state = stateSeal(deps.pepper)
  }

  /** The issuer's address for this sign-in. */
  async start({ challenge, livemode, again }: Start): Promise<URL | SignInRefusal> {
    const proofs = { pkceVerifier: randomPKCECodeVerifier(), nonce: randomNonce() }
    const state = this.#state.seal({ ...proofs, challenge, livemode, startedAt: Date.now() })
    try {
      return await this.#issuer.addressOf(proofs, state, again)
    } catch (error) {
      return this.#failed(error)
    }
  }

  /** Answers the issuer's callback: with a one-time code, if the account is a known operator. */
  async finish(query: URLSearchParams, requestId: string): Promise<Finished> {
    const sealed = query.get('state') ?? ''
    const state = this.#state.open(sealed, Date.now())
    if (state === null) return 'too_late'
    if (query.get('error') === 'access_denied') return 'cancelled'
    let account: Account
    try {
      account = await this.#issuer.accountOf(query, state, sealed)
    } catch (error) {
      return this.#failed(error)
    }
    const { db, settings } = this.#deps
    const found = await operatorsOf(db, account)
    const active = found.filter(({ isDisabled }) => !isDisabled)
    const role = roleOf(account, settings.roleClaim)
    if (active.length === 0 || role === null) {
      return await this.#refused(account, active[0] ?? found[0] ?? null, requestId)
    }
    const grants = active.map((one) => ({ ...one, role, livemode: state.livemode }))
    return { code: await createCode(db, grants, Buffer.from(state.challenge, 'base64url')) }
  }

  /**
   * Exchanges a one-time code for a key of the operator, or for the organizations to choose from.
   * Null if the code is not valid for this tab. Throws `unauthenticated` if the operator was disabled
   * meanwhile.
   */
  async redeem(
    redemption: Redemption,
    requestId: string,
  ): Promise<{ readonly key: string } | { readonly choices: readonly Choice[] } | null> {
    const { db, store } = this.#deps
    const grant = await redeemCode(db, redemption)
    if (grant === null) return null
    if (!('operatorId' in grant)) return { choices: grant }
    const { operatorId, organizationId, livemode, role } = grant
    const by = { actor: { type: 'operator', operatorId, keyId: null }, requestId } as const
    const id = newKeyId()
    await audit(store, {
      ...by,
      organizationId,
      livemode,
      type: 'OperatorSignedIn',
      data: { operator_id: operatorId, key_id: id, role },
    })
    const order = {
      id,
      organizationId,
      workspaceId: null,
      livemode,
      operatorId,
      name: keyName,
      role,
      scopes: scopesOfRole(role),
      expiresAt: new Date(Date.now() + sessionMs),
      fromSignIn: true,
    }
    const { key } = await createApiKey(this.#deps, order, by)
    await this.#endOldest(grant, by)
    return { key }
  }

  async #endOldest(
    { operatorId, livemode }: { readonly operatorId: string; readonly livemode: boolean },
    by: Parameters<typeof revokeApiKey>[2],
  ): Promise<void> {
    const old = await this.#deps.db
      .selectFrom('api_keys')
      .select('id')
      .where((eb) => eb.and({ operator_id: operatorId, livemode, from_sign_in: true }))
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', new Date())
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .offset(sessionsMax)
      .execute()
    for (const { id } of old) await revokeApiKey(this.#deps, id, by)
  }

  /** Records who was refused: in the operator's organization if it is known, else in the platform's. */
  async #refused(
    { email }: Account,
    known: Candidate | null,
    requestId: string,
  ): Promise<SignInRefusal> {
    const refusal = whyRefused(known, email !== null)
    await audit(this.#deps.store, {
      actor: { type: 'system', keyId: null },
      requestId,
      organizationId: known?.organizationId ?? platform,
      type: 'SignInRefused',
      data: { reason: refusal, ...(known === null ? {} : { operator_id: known.operatorId }) },
    })
    return refusal
  }

  #failed(error: unknown): SignInRefusal {
    const { log } = this.#deps
    if (error instanceof IssuerAway) {
      log.warn({ cause: error.message }, 'the OpenID Connect issuer does not answer')
      return 'issuer_away'
    }
    if (!(error instanceof IssuerRefused)) throw error
    log.warn({ cause: error.message }, 'the OpenID Connect issuer refused a sign-in')
    return 'issuer_refused'
  }
}

function whyRefused(known: Candidate | null, hasEmail: boolean): SignInRefusal {
  if (known !== null) return known.isDisabled ? 'operator_disabled' : 'no_role'
  return hasEmail ? 'unknown_account' : 'email_not_verified'
}
