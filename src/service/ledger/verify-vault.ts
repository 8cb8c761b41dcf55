import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Tables } from '../../../projections/tables.ts'
import { vaultRefsIn } from '../domain/event-fields.ts'
import {
  ledgerPrefixes,
  shipmentIdOfOwner,
  shipmentIdOfStream,
  shipmentStreamPrefix,
} from '../domain/ids.ts'
import type { EventStore, Position, StoredEvent } from '../event-store/event-store.ts'
import { openMax, type Vault } from '../security/vault/vault.ts'
import { type Findings, findings, type Where } from './findings.ts'
import {
  type Erasures,
  erasuresIn,
  isErasedBy,
  isNote,
  type VaultReference,
  vaultReferencesIn,
} from './vault-references.ts'

export type VerifyVaultDeps = {
  readonly store: EventStore
  readonly vault: Pick<Vault, 'commitmentsOf'>
  readonly db: Kysely<Tables>
}

export type VerifiedVault = {
  /** The references to the vault in events. */
  readonly references: number
  /** References whose content matches the event's commitment. */
  readonly matching: number
  /** References whose content exists, in events from before commitments existed. */
  readonly withoutCommitment: number
  /** References without content because the shipment's personal data was erased. */
  readonly erased: number
  readonly findings: Findings['list']
  readonly problems: number
}

/** Events per read: with at most five references each, they fit in one read of the vault. */
const pageMax = 100
/** Cached erasures. An evicted one costs a read of its stream. */
const erasedMax = 10_000

type Named = VaultReference & { readonly event: StoredEvent; readonly isRow: boolean }

/**
 * Checks that the vault has the content that the events name, unchanged and in its place. Reports
 * entries that are missing, altered or swapped, and entries that exist despite an erasure. Entries
 * that are missing because of an erasure are counted separately. Reads only; safe beside the
 * running service.
 */
export async function verifyVault(
  deps: VerifyVaultDeps,
  progress: (position: Position | null, events: number) => void = () => undefined,
): Promise<VerifiedVault> {
  const found = findings()
  const counts = { references: 0, matching: 0, withoutCommitment: 0, erased: 0 }
  const isErased = erasures(deps.store)
  for (let after: Position | null = null; ; ) {
    const prefixes = ledgerPrefixes
    const page = await deps.store.readAll(after, { prefixes, limit: pageMax, overGaps: true })
    if (page.last === after) break
    const named = page.events.flatMap(namedIn)
    counts.references += named.length
    const stored = await storedOf(deps, named)
    for (const each of named) {
      const { event, ref, commitment } = each
      const entry = stored.get(ref)
      if (entry === undefined) {
        if (await isErased(each)) counts.erased++
        else found.add(whereOf(event), `the vault has nothing under ${ref}, and nothing was erased`)
      } else if (!isOwner(event, entry)) {
        const { shipmentId, workspaceId } = entry
        found.add(
          whereOf(event),
          `the vault holds data of ${shipmentId} in ${workspaceId} under ${ref}`,
        )
      } else if (entry.commitment === null) {
        found.add(whereOf(event), `what the vault holds under ${ref} cannot be decrypted there`)
      } else if (commitment === null) counts.withoutCommitment++
      else if (entry.commitment === commitment) counts.matching++
      else found.add(whereOf(event), `the vault holds something else under ${ref}`)
    }
    for (const { event, refs } of await remainingAfterErasure(deps, page.events)) {
      found.add(
        whereOf(event),
        `the vault still holds what was erased, under ${refs.join(', ')}: was a backup restored? Erase it again`,
      )
    }
    after = page.last
    progress(after, page.events.length)
  }
  return { ...counts, findings: found.list, problems: found.count }
}

function namedIn(event: StoredEvent): readonly Named[] {
  return vaultReferencesIn(event).map((reference) => ({
    ...reference,
    event,
    isRow: event.data.vault_ref === reference.ref,
  }))
}

/** Returns a function that tells whether an erasure explains a missing entry. */
function erasures(store: EventStore): (named: Named) => Promise<boolean> {
  const known = new LRUCache<string, Erasures>({ max: erasedMax })
  return async ({ event: { stream }, field, commitment }) => {
    if (!stream.startsWith(shipmentStreamPrefix)) return false
    const erased = known.get(stream) ?? erasuresIn(await store.readStream(stream))
    known.set(stream, erased)
    // An erasure can destroy a note just before the event that names it is recorded.
    return isErasedBy(erased, { field, commitment, revision: 0 })
  }
}

type Entry = { readonly workspaceId: string; readonly shipmentId: string }

/**
 * A note or comment belongs to its operation, and the note of a workspace's hold to the workspace.
 */
function isOwner({ stream, data, metadata }: StoredEvent, entry: Entry): boolean {
  const { workspaceId, shipmentId: id } = entry
  if (workspaceId !== metadata.workspace_id) return false
  if (!stream.startsWith(shipmentStreamPrefix)) return id === data.workspace_id
  return shipmentIdOfStream(stream) === shipmentIdOfOwner(id)
}

async function storedOf({ vault, db }: VerifyVaultDeps, named: readonly Named[]) {
  const rows = named.filter(
    (each) => each.isRow || isNote(each) || each.event.type.startsWith('WorkspaceHold'),
  )
  const items = named.filter((each) => !each.isRow)
  const stored = await vault.commitmentsOf(
    rows.map(({ ref }) => ref),
    items.map(({ ref }) => ref),
  )
  const former = named.filter(
    ({ event, commitment }) => event.type.startsWith('WorkspaceHold') && commitment === null,
  )
  if (former.length === 0) return stored
  return new Map([...stored, ...(await formerNotes(db, former))])
}

/**
 * Notes of holds on workspaces from before the vault stored them. Events do not commit to their
 * content.
 */
async function formerNotes(db: VerifyVaultDeps['db'], named: readonly Named[]) {
  const { rows } = await sql<{ ref: string; workspace_id: string }>`
    SELECT ref, workspace_id FROM workspace_hold_notes
    WHERE ref = ANY (${named.map(({ ref }) => ref)}::uuid[])`.execute(db)
  return rows.map(
    ({ ref, workspace_id: id }) =>
      [ref, { workspaceId: id, shipmentId: id, commitment: '' }] as const,
  )
}

type Remaining = { readonly event: StoredEvent; readonly refs: readonly string[] }

/**
 * The entries that the erasures of this page should have destroyed and the vault still has,
 * although no work on them is pending.
 */
async function remainingAfterErasure(
  deps: VerifyVaultDeps,
  events: readonly StoredEvent[],
): Promise<readonly Remaining[]> {
  const erasures = events.filter(({ type }) => type === 'PersonalDataErased')
  if (erasures.length === 0) return []
  const ids = erasures.map(({ stream }) => shipmentIdOfStream(stream))
  // Read before the vault: an erasure that ends in between has then destroyed the row.
  const { rows } = await sql<{ id: string }>`
    SELECT shipment_id AS id FROM erasures
    WHERE shipment_id = ANY (${ids}::text[]) AND ended_at IS NULL`.execute(deps.db)
  const pending = new Set(rows.map(({ id }) => id))
  const remaining: Remaining[] = []
  for (const event of erasures) {
    if (pending.has(shipmentIdOfStream(event.stream))) continue
    const refs = [...vaultRefsIn(event.data), ...(await notesErasedBy(event, deps.store))]
    const there: string[] = []
    for (let at = 0; at < refs.length; at += openMax) {
      there.push(...(await deps.vault.commitmentsOf(refs.slice(at, at + openMax), [])).keys())
    }
    if (there.length > 0) remaining.push({ event, refs: there })
  }
  return remaining
}

/** The rows of notes and comments that existed when an erasure included them. */
async function notesErasedBy(
  { stream, data, revision }: StoredEvent,
  store: EventStore,
): Promise<readonly string[]> {
  if (data.includes_notes !== true) return []
  const before = await store.readStream(stream, { limit: revision })
  return before
    .flatMap(vaultReferencesIn)
    .filter(isNote)
    .map(({ ref }) => ref)
}

function whereOf(event: StoredEvent): Where {
  const { recorded_at: recordedAt } = event.metadata
  const { position, type, stream } = event
  return {
    position,
    type,
    shipment_id: stream.startsWith(shipmentStreamPrefix) ? shipmentIdOfStream(stream) : null,
    recorded_at: typeof recordedAt === 'string' ? recordedAt : null,
  }
}
