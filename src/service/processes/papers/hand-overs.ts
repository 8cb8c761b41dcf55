import { type QueryExecutorProvider, sql } from 'kysely'
import type { Catalogue } from '../../couriers/catalogue.ts'
import { rfc3339 } from '../../domain/decider.ts'
import {
  currentAttempt,
  findCurrentAttempt,
  type Shipment,
} from '../../domain/shipment/shipment.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import type { Reach } from '../../security/reach.ts'
import { readClock } from '../sandbox/workspace-clock.ts'
import type { HandOver, LeftOut, Manifest, ManifestRow } from './paper-messages.ts'
import type { PrintQueue } from './print-queue.ts'
import { type Named, readShipments } from './read-shipments.ts'
import { whyNoGuide } from './why-left-out.ts'

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

type Sorted = { readonly parcel: Parcel } | { readonly leftOut: LeftOut }

/**
 * The list of these shipments to hand over at each agency, as a PDF: in their order, for each workspace
 * and agency one list to sign. Shipments that must not be handed over are named at the end. It shows
 * no recipient. Throws Problem: `overloaded`, `not_found`.
 */
export async function manifestOf(deps: ManifestDeps, order: Named): Promise<Buffer> {
  const sorted = await readShipments(deps.store, order, ({ shipmentId, state }) =>
    sortedOf(shipmentId, state),
  )
  const parcels = sorted.flatMap((each) => ('parcel' in each ? [each.parcel] : []))
  const leftOut = [
    ...sorted.flatMap((each) => ('leftOut' in each ? [each.leftOut] : [])),
    ...(order.withoutShipment ?? []),
  ]
  const handOvers = await handOversOf(deps, order.reach, parcels)
  const manifest: Manifest = { livemode: order.reach.livemode, handOvers, leftOut }
  return await deps.queue.run(order.reach.organizationId, async (ask) => {
    const { pdf } = await ask({ do: 'print_manifest', manifest })
    return pdf
  })
}

function sortedOf(shipmentId: string, state: Shipment): Sorted {
  const { external_reference: reference, package: parcel, ...request } = state.request
  const why = whyNoGuide(state)
  if (why !== null) return { leftOut: { shipmentId, reference, why: withGuide(state, why) } }
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
      weightGrams: Math.round(parcel.weight_kg * 1_000) * parcel.quantity,
    },
  }
}

/** A parcel that is kept back may bear the label of its guide. */
function withGuide(state: Shipment, why: string): string {
  const guideNumber = findCurrentAttempt(state)?.guide?.guideNumber
  return guideNumber === undefined ? why : `${why} Guide ${guideNumber}.`
}

async function handOversOf(
  deps: ManifestDeps,
  reach: Reach,
  parcels: readonly Parcel[],
): Promise<readonly HandOver[]> {
  const workspaces = await workspacesOf(deps, reach, parcels)
  const agencies = await agenciesOf(deps, reach, parcels)
  const unknown = (id: string) => ({ name: id, address: '' })
  const rowOf = (parcel: Parcel): ManifestRow => ({
    guideNumber: parcel.guideNumber,
    reference: parcel.reference,
    destination: (agencies.get(parcel.destinationId) ?? unknown(parcel.destinationId)).name,
    pieces: parcel.pieces,
    weightGrams: parcel.weightGrams,
  })
  const groups = Map.groupBy(parcels, ({ workspaceId, originId }) => `${workspaceId} ${originId}`)
  return [...groups.values()].flatMap((group): HandOver[] => {
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

/** The names of the workspaces, and the time on the clock of each. */
async function workspacesOf(
  { db }: Pick<ManifestDeps, 'db'>,
  { organizationId, livemode }: Reach,
  parcels: readonly Parcel[],
): Promise<ReadonlyMap<string, { readonly name: string; readonly at: string }>> {
  const ids = [...new Set(parcels.map(({ workspaceId }) => workspaceId))]
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM workspaces
    WHERE organization_id = ${organizationId} AND id = ANY(${ids}::text[])`.execute(db)
  const found = rows.map(async ({ id, name }) => {
    const { now } = await readClock(db, { workspaceId: id, livemode })
    return [id, { name, at: minuteOf(now) }] as const
  })
  return new Map(await Promise.all(found))
}

/** `2026-03-01 12:00 UTC` */
function minuteOf(now: number): string {
  return `${rfc3339(now).slice(0, 16).replace('T', ' ')} UTC`
}

type NamedAgency = HandOver['agency']

/** Those that the courier still lists, if its list is known now: the others are shown by their ids. */
async function agenciesOf(
  { catalogue }: Pick<ManifestDeps, 'catalogue'>,
  { livemode }: Reach,
  parcels: readonly Parcel[],
): Promise<ReadonlyMap<string, NamedAgency>> {
  const wanted = new Map(
    parcels.flatMap(({ providerCode, originId, destinationId }) => [
      [originId, providerCode],
      [destinationId, providerCode],
    ]),
  )
  const found = [...wanted].map(async ([id, providerCode]) => {
    const answer = await catalogue.agency({ livemode, providerCode }, id)
    if (answer.kind !== 'found') return []
    const { name, address, district, province, department } = answer.item
    return [[id, { name, address: [address, district, province, department].join(', ') }] as const]
  })
  return new Map((await Promise.all(found)).flat())
}
