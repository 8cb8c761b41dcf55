export const scopes = [
  'shipments:read',
  'shipments:write',
  'connections:read',
  'connections:write',
  'webhooks:read',
  'webhooks:write',
  'workspaces:read',
  'workspaces:write',
  'keys:write',
  'operators:write',
  'operations:read',
  'operations:review',
  'ledger:read',
] as const
export type Scope = (typeof scopes)[number]
/** Deciding about a lost guide, and saying who may do what, must be granted explicitly. */
export const scopesOnRequest: readonly Scope[] = [
  'operations:review',
  'keys:write',
  'operators:write',
]
export const defaultScopes: readonly Scope[] = scopes.filter(
  (scope) => !scopesOnRequest.includes(scope),
)

/** The longest name of a key. It is a column of lists. */
export const keyNameMax = 100

/** What a key is for. The scopes of a `custom` key are named one by one. */
export const keyRoles = [
  'integration',
  'clerk',
  'support',
  'accountant',
  'operator',
  'admin',
  'custom',
] as const
export type KeyRole = (typeof keyRoles)[number]
/** A role that is a set of scopes. */
export type NamedRole = Exclude<KeyRole, 'custom'>

export const namedRoles: readonly NamedRole[] = keyRoles.filter((role) => role !== 'custom')

/** Every role reads these, or its holder could not find what the rest is about. */
const reads: readonly Scope[] = ['shipments:read', 'connections:read', 'workspaces:read']

/**
 * The scopes of each role. A key keeps those that it was created with, so a change here is for new
 * keys only. The order of a role's scopes is that of `scopes`.
 */
const granted: Readonly<Record<NamedRole, readonly Scope[]>> = {
  integration: [...reads, 'shipments:write', 'webhooks:read', 'webhooks:write', 'operations:read'],
  clerk: [...reads, 'shipments:write', 'operations:read'],
  // Cancels guides and erases personal data, which are changes of a shipment.
  support: [...reads, 'shipments:write', 'webhooks:read', 'operations:read', 'ledger:read'],
  // Imports and decides invoices, which needs the scope of decisions.
  accountant: [...reads, 'operations:read', 'operations:review', 'ledger:read'],
  operator: [
    ...reads,
    'shipments:write',
    'webhooks:read',
    'webhooks:write',
    'operations:read',
    'operations:review',
    'ledger:read',
  ],
  admin: scopes,
}

export function scopesOfRole(role: NamedRole): readonly Scope[] {
  return scopes.filter((scope) => granted[role].includes(scope))
}

/** Who each role is for, in the documentation of the API. */
export const aboutRoles: Readonly<Record<KeyRole, string>> = {
  integration: 'the back end of a shop: creates shipments and receives webhooks.',
  clerk: 'a person who packs and ships: creates, prints and cancels shipments.',
  support:
    'a person who answers questions: reads everything, cancels guides and erases personal data.',
  accountant: "a person who checks couriers' invoices.",
  operator: 'a person who decides operations.',
  admin: 'a person who sets up the organization: every scope.',
  custom: 'scopes chosen one by one. Keys from before roles existed are custom.',
}
