import { LRUCache } from 'lru-cache'
import type { JsonObject } from '../domain/decider.ts'
import { vaultRefsIn } from '../domain/event-fields.ts'
import {
  isId,
  shipmentIdOfOperation,
  shipmentIdOfStream,
  shipmentStreamPrefix,
} from '../domain/ids.ts'
import type { EventStore, Position, StoredEvent } from '../event-store/event-store.ts'
import type { Vault } from '../security/vault/vault.ts'
import { type Findings, findings, type Where } from './findings.ts'

export type VerifyVaultDeps = {
  readonly store: EventStore
  readonly vault: Pick<Vault, 'commitmentsOf'>
}

export type VerifiedVault = {
  /** References that events make to the vault. */
  readonly references: number
  /** Those that hold exactly what their event commits to. */
  readonly matching: number
  /** Those that are there, named by events from before commitments existed. */
  readonly withoutCommitment: number
  /** Those that are gone because the shipment's personal data was erased. */
  readonly erased: number
  readonly findings: Findings['list']
  readonly problems: number
}

/** Events read at once: with at most five references each they fit in one read of the vault. */
const pageMax = 100
/** Of erased shipments remembered: forgetting one costs a read of its stream. */
const erasedMax = 10_000

/** The notes of decisions, since events commit to them, and comments. */
const hasOwnRow: ReadonlySet<string> = new Set(['OperationResolved', 'OperationCommented'])

type Named = {
  readonly event: StoredEvent
  readonly ref: string
  readonly isRow: boolean
  readonly commitment: string | null
}

/**
 * Checks that the vault holds what the events of shipments name there, unchanged and in its place.
 * Finds a missing, altered or swapped entry; one that is missing because of an erasure is counted
 * apart. Reads only; safe beside the running service.
 */
export async function verifyVault(
  deps: VerifyVaultDeps,
  progress: (position: Position | null, events: number) => void = () => undefined,
): Promise<VerifiedVault> {
  const found = findings()
  const counts = { references: 0, matching: 0, withoutCommitment: 0, erased: 0 }
  const erasedShipments = new LRUCache<string, Erasures>({ max: erasedMax })
  const isErased = async ({ event: { stream, type }, commitment }: Named) => {
    const known = erasedShipments.get(stream) ?? erasuresIn(await deps.store.readStream(stream))
    erasedShipments.set(stream, known)
    // A note has its own row since events commit to it. Before, it was erased with the person.
    const isNote = hasOwnRow.has(type) && commitment !== null
    return isNote ? known.notes : known.person
  }
  for (let after: Position | null = null; ; ) {
    const prefixes = [shipmentStreamPrefix]
    const page = await deps.store.readAll(after, { prefixes, limit: pageMax, overGaps: true })
    if (page.last === after) break
    const named = page.events.flatMap(namedIn)
    counts.references += named.length
    const stored = await storedOf(deps.vault, named)
    for (const each of named) {
      const { event, ref, commitment } = each
      const entry = stored.get(ref)
      const shipmentId = shipmentIdOfStream(event.stream)
      if (entry === undefined) {
        if (await isErased(each)) counts.erased++
        else found.add(whereOf(event), `the vault has nothing under ${ref}, and nothing was erased`)
      } else if (ownerOf(entry.shipmentId) !== shipmentId) {
        found.add(whereOf(event), `the vault holds data of ${entry.shipmentId} under ${ref}`)
      } else if (entry.commitment === null) {
        found.add(whereOf(event), `what the vault holds under ${ref} cannot be decrypted there`)
      } else if (commitment === null) counts.withoutCommitment++
      else if (entry.commitment === commitment) counts.matching++
      else found.add(whereOf(event), `the vault holds something else under ${ref}`)
    }
    after = page.last
    progress(after, page.events.length)
  }
  return { ...counts, findings: found.list, problems: found.count }
}

function namedIn(event: StoredEvent): readonly Named[] {
  // An erasure names what it destroyed.
  if (event.type === 'PersonalDataErased') return []
  const commitments = (event.data.commitments ?? {}) as JsonObject
  return vaultRefsIn(event.data).map((ref) => ({
    event,
    ref,
    isRow: event.data.vault_ref === ref,
    commitment: typeof commitments[ref] === 'string' ? commitments[ref] : null,
  }))
}

type Erasures = { readonly person: boolean; readonly notes: boolean }

function erasuresIn(events: readonly StoredEvent[]): Erasures {
  const erasures = events.filter(({ type }) => type === 'PersonalDataErased')
  return {
    person: erasures.length > 0,
    notes: erasures.some(({ data }) => data.includes_notes === true),
  }
}

/** Notes and comments belong to the operation. */
function ownerOf(id: string): string {
  return isId('op', id) ? shipmentIdOfOperation(id) : id
}

/** The note of a decision is a row, and was an item before; a comment is a row. */
function storedOf(vault: VerifyVaultDeps['vault'], named: readonly Named[]) {
  const rows = named.filter((each) => each.isRow || hasOwnRow.has(each.event.type))
  const items = named.filter((each) => !each.isRow)
  return vault.commitmentsOf(
    rows.map(({ ref }) => ref),
    items.map(({ ref }) => ref),
  )
}

function whereOf(event: StoredEvent): Where {
  const { recorded_at: recordedAt } = event.metadata
  return {
    position: event.position,
    type: event.type,
    shipment_id: shipmentIdOfStream(event.stream),
    recorded_at: typeof recordedAt === 'string' ? recordedAt : null,
  }
}
