import { i18n } from '@lingui/core'
import type { Scope } from '../parts/scopes.tsx'
import type { roleScopes } from './generated-roles.ts'

export type Role = keyof typeof roleScopes | 'custom'

// A role or scope that is added to the API does not compile until it is described here.

/** The name of a role in lists. A later version of the API may have others. */
export function roleName(role: string): string {
  const names: Readonly<Record<string, string>> = roleNames()
  return names[role] ?? role
}

const roleNames = (): Readonly<Record<Role, string>> => ({
  integration: i18n.t('integration'),
  clerk: i18n.t('clerk'),
  support: i18n.t('support'),
  accountant: i18n.t('accountant'),
  operator: i18n.t('operator'),
  admin: i18n.t('admin'),
  custom: i18n.t('custom'),
})

/** In the order of the list, with who each role is for. */
export const aboutRoles = (): Readonly<Record<Role, string>> => ({
  integration: i18n.t('Integration: the back end of a shop'),
  clerk: i18n.t('Clerk: packs and ships'),
  support: i18n.t('Support: reads everything, cancels and erases'),
  accountant: i18n.t('Accountant: checks couriers’ invoices'),
  operator: i18n.t('Operator: decides operations'),
  admin: i18n.t('Admin: everything'),
  custom: i18n.t('Custom: choose the scopes'),
})

/** The scopes in the order in which they are shown, with what they allow. */
export const aboutScopes = (): Readonly<Record<Scope, string>> => ({
  'shipments:read': i18n.t('Read shipments, tracking, labels and quotes'),
  'shipments:write': i18n.t('Create and cancel shipments'),
  'connections:read': i18n.t('Read courier connections'),
  'connections:write': i18n.t('Connect couriers, replace credentials'),
  'webhooks:read': i18n.t('Read endpoints, events and deliveries'),
  'webhooks:write': i18n.t('Change endpoints, redeliver events'),
  'workspaces:read': i18n.t('Read workspaces and the list of keys'),
  'workspaces:write': i18n.t('Create and change workspaces'),
  'operations:read': i18n.t('Read operations, operators and health'),
  'operations:review': i18n.t('Decide operations'),
  'ledger:read': i18n.t('Read histories, proofs and the audit'),
  'keys:write': i18n.t('Create and revoke keys'),
  'operators:write': i18n.t('Create and change operators'),
})
