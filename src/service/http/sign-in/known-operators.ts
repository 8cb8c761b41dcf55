import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { keyRoles, type NamedRole, scopesOfRole } from '../../security/scopes.ts'
import { type Account, claimAt } from './issuer.ts'

/** Organizations that one person may choose from: the service provider onboards each by hand. */
const candidatesMax = 50

/** An operator who the account is. */
export type Candidate = {
  readonly operatorId: string
  readonly organizationId: string
  readonly isDisabled: boolean
}

/**
 * The operators who the account is, at most one for each organization: the one with its subject,
 * else the one with its verified e-mail address and no subject. If two are equally good, there is
 * none: signing in must not choose between people.
 */
export async function operatorsOf(
  db: Kysely<Tables>,
  { subject, email }: Pick<Account, 'subject' | 'email'>,
): Promise<readonly Candidate[]> {
  const { rows } = await sql<Candidate & { isBySubject: boolean }>`
    SELECT id AS "operatorId", organization_id AS "organizationId",
      status = 'disabled' AS "isDisabled", subject IS NOT NULL AS "isBySubject"
    FROM (
      SELECT *, row_number() OVER (PARTITION BY organization_id
        ORDER BY (subject IS NOT NULL) DESC, status, id) AS nth
      FROM operators
      WHERE subject = ${subject} OR
        (subject IS NULL AND lower(email COLLATE "C") = lower(${email}::text COLLATE "C"))
    ) found
    WHERE nth <= 2 ORDER BY organization_id, nth LIMIT ${2 * candidatesMax}`.execute(db)
  const byOrganization = Object.values(Object.groupBy(rows, (row) => row.organizationId))
  return byOrganization.flatMap(([best, next] = []) => {
    if (best === undefined) return []
    const isAlone = next === undefined || next.isBySubject !== best.isBySubject || next.isDisabled
    return isAlone || best.isDisabled ? [best] : []
  })
}

/** The roles that people have. A program's is `integration`, and `custom` has no scopes of its own. */
const personRoles = keyRoles.filter(
  (role): role is NamedRole => role !== 'integration' && role !== 'custom',
)

/**
 * The role of the account: that of the claim; without a claim everyone is an operator. Of several
 * roles the one with the most scopes. Null if the claim names none.
 */
export function roleOf({ claims }: Account, roleClaim: string | null): NamedRole | null {
  if (roleClaim === null) return 'operator'
  const value = claimAt(claims, roleClaim)
  const named = new Set(Array.isArray(value) ? value : String(value ?? '').split(/[\s,]+/))
  const [role = null] = personRoles
    .filter((one) => named.has(one))
    .toSorted((a, b) => scopesOfRole(b).length - scopesOfRole(a).length)
  return role
}
