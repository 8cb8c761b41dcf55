import type { Language } from '../../domain/language.ts'
import { gramsOf } from '../../domain/parcel-weight.ts'
import { findCurrentAttempt, isCancelled, type Shipment } from '../../domain/shipment/shipment.ts'
import type { Times } from '../../ledger/evidence/report/times.ts'
import { agenciesOf } from '../../processes/documents/agencies.ts'
import { readShipments } from '../../processes/documents/read-shipments.ts'
import { workspaceNames } from '../../processes/documents/workspace-names.ts'
import type { ReadInvoice } from '../../processes/invoices/invoice-to-api.ts'
import type { TenantScope } from '../../security/tenant-scope.ts'
import type { ApiServices } from '../api-services.ts'
import type { ChosenLines } from './choose-lines.ts'
import { type ClaimContent, type ClaimedShipment, claimReport } from './claim-report.ts'

type Deps = Pick<ApiServices, 'db' | 'store' | 'catalogue' | 'evidence'>
type Claim = {
  readonly scope: TenantScope
  readonly invoice: ReadInvoice
  readonly chosen: ChosenLines
  readonly times: Times
  readonly language: Language
  /** Without the evidence. */
  readonly isAlone: boolean
}

/** The claim about these lines as a PDF; null if none of them is disputed. */
export async function invoiceClaim(deps: Deps, claim: Claim): Promise<Buffer | null> {
  const { invoice, chosen, times, language, isAlone } = claim
  const { organization_id: organizationId } = invoice
  const names = await workspaceNames(deps.db, organizationId, [invoice.workspace_id])
  const { period_from: from, period_to: to } = invoice
  const report = claimReport({
    language,
    invoice: { ...invoice, period: from === null || to === null ? null : { from, to } },
    shop: names.get(invoice.workspace_id) ?? '',
    courier: await courierOf(deps, invoice),
    lines: chosen.lines,
    shipments: await claimedShipments(deps, claim),
    invoices: await referencesOf(deps, invoice, chosen),
    times,
    isAlone,
    madeAt: new Date(),
  })
  return report === null ? null : await deps.evidence.print(organizationId, report)
}

async function courierOf(
  { db }: Pick<Deps, 'db'>,
  { organization_id: organizationId, courier_connection_id: id }: ReadInvoice,
): Promise<ClaimContent['courier']> {
  const { display_name: account, provider_code: code } = await db
    .selectFrom('courier_connections')
    .select(['display_name', 'provider_code'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { code, account }
}

async function referencesOf(
  { db }: Pick<Deps, 'db'>,
  { organization_id: organizationId }: ReadInvoice,
  { lines }: ChosenLines,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(lines.flatMap((line) => line.billed_before?.courier_invoice_id ?? []))
  if (ids.size === 0) return new Map()
  const rows = await db
    .selectFrom('courier_invoices')
    .select(['id', 'reference'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

async function claimedShipments(
  { store, catalogue }: Deps,
  { scope, chosen: { lines } }: Claim,
): Promise<ReadonlyMap<string, ClaimedShipment>> {
  const ids = lines.flatMap(({ decision, shipment_id: id }) =>
    decision?.decision === 'disputed' ? (id ?? []) : [],
  )
  const read = await readShipments(
    store,
    { scope, shipmentIds: [...new Set(ids)] },
    ({ shipmentId, state }) => ({ shipmentId, ...claimedOf(state) }),
  )
  const agencies = await agenciesOf(
    catalogue,
    scope.livemode,
    read.map(({ path }) => path),
  )
  return new Map(
    read.map(({ shipmentId, path, ...claimed }) => {
      const [from, to] = [agencies.get(path.originId), agencies.get(path.destinationId)]
      const route = from === undefined || to === undefined ? null : { from: from.name, to: to.name }
      return [shipmentId, { ...claimed, route }]
    }),
  )
}

function claimedOf(state: Shipment) {
  const { request } = state
  const { package: parcel } = request
  return {
    order: request.external_reference,
    endedAt: findCurrentAttempt(state)?.endedAt ?? null,
    cancelledAt: isCancelled(state) ? (state.cancellations.at(-1)?.endedAt ?? null) : null,
    weightKg: gramsOf(parcel) / 1_000,
    path: {
      providerCode: request.provider_code,
      originId: request.origin.agency_id,
      destinationId: request.destination.agency_id,
    },
  }
}
