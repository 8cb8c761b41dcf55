import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { Peppers } from '../../security/api-keys.ts'
import { seal, unseal } from '../../security/encryption/encryption.ts'

/** As long as a person may take at the issuer. */
const stateMaxMs = 10 * 60_000

const stateSchema = z.strictObject({
  pkceVerifier: z.string(),
  nonce: z.string(),
  challenge: z.string(),
  livemode: z.boolean(),
  startedAt: z.number(),
})
/** What a callback needs of the request that started the sign-in. */
export type SignInState = z.infer<typeof stateSchema>

const parts = ['sign-in state']

function keyFrom(pepper: Peppers): KeyObject {
  const bytes = hkdfSync('sha256', pepper.current.key, '', 'shipping-ledger sign-in state v1', 32)
  return createSecretKey(Buffer.from(bytes))
}

/**
 * The state travels through the browser and the issuer, sealed: starting a sign-in stores nothing,
 * so that strangers cannot fill a table, and any process can answer the callback.
 */
export function stateSeal(pepper: Peppers) {
  const key = keyFrom(pepper)
  return {
    seal: (state: SignInState): string =>
      seal(key, Buffer.from(JSON.stringify(state)), parts).toString('base64url'),
    /** Null if it was not sealed here, or too long ago. */
    open(text: string, now: number): SignInState | null {
      try {
        const bytes = unseal(key, Buffer.from(text, 'base64url'), parts)
        const state = stateSchema.parse(JSON.parse(bytes.toString()))
        return now - state.startedAt <= stateMaxMs ? state : null
      } catch {
        return null
      }
    },
  }
}
