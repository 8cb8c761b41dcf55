import { Problem } from '../../errors.ts'
import { findInvoices, type ReadInvoice } from '../../processes/invoices/shown-invoice.ts'
import type { Principal, Scope } from '../../security/api-keys.ts'
import { withinReach } from '../../security/reach.ts'
import { type Resource, resource } from '../rules/resources/resource.ts'
import type { RouteDeps } from '../server-deps.ts'

export type InvoiceDeps = Pick<
  RouteDeps,
  'db' | 'evidence' | 'owners' | 'processes' | 'secrets' | 'store' | 'workspaces'
>

/** The invoice in the route's path, with its newest version. */
export function invoiceResource(deps: InvoiceDeps, scope: Scope): Resource<ReadInvoice> {
  return resource(scope, ({ principal }, id) => requireInvoice(deps, principal, id))
}

export async function requireInvoice(
  { db, processes }: InvoiceDeps,
  principal: Principal,
  id: string,
): Promise<ReadInvoice> {
  const reached = await db
    .selectFrom('courier_invoices')
    .select('id')
    .where(withinReach(principal))
    .where('id', '=', id)
    .executeTakeFirst()
  const ids = reached === undefined ? [] : [id]
  const [row] = await findInvoices(processes.db, principal.organizationId, ids)
  if (row === undefined) throw new Problem('not_found')
  return row
}
