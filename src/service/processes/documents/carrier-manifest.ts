import type { QueryExecutorProvider } from 'kysely'
import type { Catalogue } from '../../couriers/catalogue.ts'
import { rfc3339 } from '../../domain/decider.ts'
import type { Language } from '../../domain/language.ts'
import { gramsOf } from '../../domain/parcel-weight.ts'
import {
  currentAttempt,
  findCurrentAttempt,
  type Shipment,
} from '../../domain/shipment/shipment.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import type { TenantScope } from '../../security/tenant-scope.ts'
import { readClock } from '../sandbox/workspace-clock.ts'
import { agenciesOf } from './agencies.ts'
import { nameOfMany } from './document-name.ts'
import { exclusionReason, exclusionTexts } from './exclusion-reason.ts'
import type { PrintedDocument } from './labels.ts'
import type { ExcludedShipment, Manifest, ManifestRow, ManifestSection } from './print-messages.ts'
import { type PrintQueue, printedFile } from './print-queue.ts'
import { type PrintOrder, readShipments } from './read-shipments.ts'
import { workspaceNames } from './workspace-names.ts'

export type ManifestDeps = {
  readonly db: QueryExecutorProvider
  readonly store: EventStore
  readonly catalogue: Pick<Catalogue, 'agency'>
  readonly queue: Pick<PrintQueue, 'run'>
}

type Parcel = {
  readonly workspaceId: string
  readonly providerCode: string
  readonly originId: string
  readonly destinationId: string
  readonly reference: string
  readonly guideNumber: string
  readonly pieces: number
  readonly weightGrams: number
}

type Sorted = { readonly parcel: Parcel } | { readonly excluded: ExcludedShipment }

/**
 * The manifest of these shipments as a PDF: for each workspace and agency a list to sign, with the
 * shipments in the given order. Shipments that must not be handed over are listed at the end. It
 * contains no recipient. Throws Problem: `overloaded`, `not_found`.
 */
export async function carrierManifest(
  deps: ManifestDeps,
  order: PrintOrder,
): Promise<PrintedDocument> {
  const { language } = order
  const sorted = await readShipments(deps.store, order, ({ shipmentId, state }) =>
    sortedOf(shipmentId, state, language),
  )
  const parcels = sorted.flatMap((each) => ('parcel' in each ? [each.parcel] : []))
  const excluded = [
    ...sorted.flatMap((each) => ('excluded' in each ? [each.excluded] : [])),
    ...(order.withoutShipment ?? []),
  ]
  const sections = await sectionsOf(deps, order.scope, parcels)
  const manifest: Manifest = { language, livemode: order.scope.livemode, sections, excluded }
  const references = [...parcels, ...excluded].map(({ reference }) => reference)
  const name = nameOfMany({ kind: 'manifest', language }, references)
  return await deps.queue.run(order.scope.organizationId, async (ask) => ({
    ...(await printedFile(ask, { do: 'print_manifest', manifest })),
    name,
  }))
}

function sortedOf(shipmentId: string, state: Shipment, language: Language): Sorted {
  const { external_reference: reference, package: parcel, ...request } = state.request
  const why = exclusionReason(state, language)
  if (why !== null) {
    return { excluded: { shipmentId, reference, why: withGuide(state, why, language) } }
  }
  const guideNumber = currentAttempt(state).guide?.guideNumber
  if (guideNumber === undefined) throw new Error('bug: a created shipment has no guide')
  return {
    parcel: {
      workspaceId: request.workspace_id,
      providerCode: request.provider_code,
      originId: request.origin.agency_id,
      destinationId: request.destination.agency_id,
      reference,
      guideNumber,
      pieces: parcel.quantity,
      weightGrams: gramsOf(parcel),
    },
  }
}

/** Shows the guide number too: a parcel that is kept back may bear its label. */
function withGuide(state: Shipment, why: string, language: Language): string {
  const guideNumber = findCurrentAttempt(state)?.guide?.guideNumber
  return guideNumber === undefined ? why : exclusionTexts[language].withGuide(why, guideNumber)
}

async function sectionsOf(
  deps: ManifestDeps,
  scope: TenantScope,
  parcels: readonly Parcel[],
): Promise<readonly ManifestSection[]> {
  const workspaces = await workspacesOf(deps, scope, parcels)
  const agencies = await agenciesOf(deps.catalogue, scope.livemode, parcels)
  const unknown = (id: string) => ({ name: id, address: '' })
  const rowOf = (parcel: Parcel): ManifestRow => ({
    guideNumber: parcel.guideNumber,
    reference: parcel.reference,
    destination: (agencies.get(parcel.destinationId) ?? unknown(parcel.destinationId)).name,
    pieces: parcel.pieces,
    weightGrams: parcel.weightGrams,
  })
  const groups = Map.groupBy(parcels, ({ workspaceId, originId }) => `${workspaceId} ${originId}`)
  return [...groups.values()].flatMap((group): ManifestSection[] => {
    const [first] = group
    if (first === undefined) return []
    const workspace = workspaces.get(first.workspaceId)
    return [
      {
        workspace: workspace?.name ?? first.workspaceId,
        at: workspace?.at ?? '',
        agency: agencies.get(first.originId) ?? unknown(first.originId),
        rows: group.map(rowOf),
      },
    ]
  })
}

/** The name and current time of each workspace. */
async function workspacesOf(
  { db }: Pick<ManifestDeps, 'db'>,
  { organizationId, livemode }: TenantScope,
  parcels: readonly Parcel[],
): Promise<ReadonlyMap<string, { readonly name: string; readonly at: string }>> {
  const ids = parcels.map(({ workspaceId }) => workspaceId)
  const names = await workspaceNames(db, organizationId, ids)
  const found = [...names].map(async ([id, name]) => {
    const { now } = await readClock(db, { workspaceId: id, livemode })
    return [id, { name, at: minuteOf(now) }] as const
  })
  return new Map(await Promise.all(found))
}

/** `2026-03-01 12:00 UTC` */
function minuteOf(now: number): string {
  return `${rfc3339(now).slice(0, 16).replace('T', ' ')} UTC`
}
