import { Problem } from '../../errors.ts'
import { findInvoices, type ReadInvoice } from '../../processes/invoices/invoice-to-api.ts'
import type { Principal, Scope } from '../../security/api-keys.ts'
import { inTenantScope } from '../../security/tenant-scope.ts'
import type { ApiServices } from '../api-services.ts'
import { type Resource, resource } from '../rules/resources/resource.ts'

export type InvoiceDeps = ApiServices

/** The invoice in the route's path, with its newest version. */
export function invoiceResource(deps: InvoiceDeps, scope: Scope): Resource<ReadInvoice> {
  return resource(scope, ({ principal }, id) => requireInvoice(deps, principal, id))
}

export async function requireInvoice(
  { db }: InvoiceDeps,
  principal: Principal,
  id: string,
): Promise<ReadInvoice> {
  const reached = await db
    .selectFrom('courier_invoices')
    .select('id')
    .where(inTenantScope(principal))
    .where('id', '=', id)
    .executeTakeFirst()
  const ids = reached === undefined ? [] : [id]
  const [row] = await findInvoices(db, principal.organizationId, ids)
  if (row === undefined) throw new Problem('not_found')
  return row
}
