import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { keyRoles, type NamedRole } from '../../security/scopes.ts'

/** Long enough for a redirect on a slow line. */
const codeSeconds = 60
const codeBytes = 32

/** What a code is exchanged for. */
type Grant = {
  readonly operatorId: string
  readonly organizationId: string
  readonly livemode: boolean
  readonly role: NamedRole
}

export type Choice = { readonly organization_id: string; readonly name: string }

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Creates a code for these grants, at most one for each organization, and forgets expired codes. */
export async function createCode(
  db: Kysely<Tables>,
  grants: readonly Grant[],
  challenge: Buffer,
): Promise<string> {
  const code = randomBytes(codeBytes).toString('base64url')
  const soon = sql<Date>`now() + ${codeSeconds} * interval '1 second'`
  await db.deleteFrom('sign_in_codes').where('expires_at', '<=', sql<Date>`now()`).execute()
  await db
    .insertInto('sign_in_codes')
    .values(
      grants.map((grant) => ({
        digest: digestOf(code),
        organization_id: grant.organizationId,
        operator_id: grant.operatorId,
        livemode: grant.livemode,
        role: grant.role,
        challenge,
        expires_at: soon,
      })),
    )
    .execute()
  return code
}

/**
 * Uses a code up. With several organizations, and none chosen, it returns them instead and the code
 * stays. Null if the code is unknown, used or too old, or the tab is not the one that began: then it
 * is used up as well.
 */
export async function redeemCode(
  db: Kysely<Tables>,
  { code, verifier, organizationId }: Redemption,
): Promise<Grant | readonly Choice[] | null> {
  const digest = digestOf(code)
  const rows = await db
    .selectFrom('sign_in_codes')
    .innerJoin('organizations', 'organizations.id', 'sign_in_codes.organization_id')
    .select(['sign_in_codes.challenge', 'organization_id', 'organizations.name'])
    .where('digest', '=', digest)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('organizations.name')
    .orderBy('organization_id')
    .execute()
  const [first] = rows
  const isTab = first !== undefined && timingSafeEqual(first.challenge, digestOf(verifier))
  if (isTab && organizationId === undefined && rows.length > 1) {
    return rows.map(({ organization_id, name }) => ({ organization_id, name }))
  }
  const used = await db
    .deleteFrom('sign_in_codes')
    .where('digest', '=', digest)
    .returningAll()
    .execute()
  const chosen = used.find(
    (row) => row.organization_id === (organizationId ?? first?.organization_id),
  )
  const role = keyRoles.find((one) => one === chosen?.role)
  if (!isTab || chosen === undefined || role === undefined || role === 'custom') return null
  return {
    operatorId: chosen.operator_id,
    organizationId: chosen.organization_id,
    livemode: chosen.livemode,
    role,
  }
}

export type Redemption = {
  readonly code: string
  /** What only the tab knows that began. */
  readonly verifier: string
  readonly organizationId: string | undefined
}
