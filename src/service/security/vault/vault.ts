import { type KeyObject, randomUUID } from 'node:crypto'
import { Batcher, BatcherFull } from '../../database/batcher.ts'
import type { JsonObject } from '../../domain/decider.ts'
import {
  deriveKey,
  newDataKey,
  SealBroken,
  seal,
  unseal,
  unwrapKey,
  wrapKey,
} from '../encryption/encryption.ts'
import type { MasterKeys } from '../encryption/master-keys.ts'
import { bodyDigest, type Commitments, commitmentKeyOf, commitmentTo } from './commitment.ts'
import type {
  Beside,
  RowToInsert,
  SealedItem,
  SealedRow,
  Stored,
  StoredItem,
  VaultOwner,
  VaultRows,
} from './vault-rows.ts'

export type {
  Beside,
  Registration,
  Stored,
} from './vault-rows.ts'

/** The queue is full: nothing was written. Asking again later is safe. */
export class VaultOverloaded extends Error {
  override readonly name = 'VaultOverloaded'
}

/**
 * The database did not accept it. If the row was written after all, no event names it: an orphan.
 */
export class VaultUnavailable extends Error {
  override readonly name = 'VaultUnavailable'
}

/** Seals later items of the same person with the data key of the row. */
export type ItemSealer = {
  readonly ref: string
  readonly sealItem: (content: JsonObject | Buffer) => SealedItem & { readonly commitment: string }
  readonly bodyDigest: (body: Uint8Array) => string
  readonly commitTo: (ref: string, content: Uint8Array) => string
}

/** Stores what one command leaves in the vault, and collects what its events commit to. */
export type Keeper = {
  /** The reference of the stored item; null once the row is erased. */
  readonly put: (content: JsonObject | Buffer) => Promise<string | null>
  /** Stores everything that was put again, if the database has lost it. */
  readonly putAgain: () => Promise<void>
  /** What stands in an event for a body; null once the row is erased. */
  readonly bodyDigest: (body: Uint8Array) => Promise<string | null>
  /** By reference, everything that was put. */
  readonly commitments: Commitments
}

/** A row that is not written yet, with its own random reference and data key. */
export type VaultDraft = ItemSealer & {
  readonly row: SealedRow
  /** To the payload, for the event that names the reference. */
  readonly commitment: string
  /** For the HMAC over the personal part of a request; destroyed with the data key. */
  readonly fingerprintKey: KeyObject
}

export type OpenVault = ItemSealer & {
  readonly owner: VaultOwner
  readonly payload: JsonObject
  readonly fingerprintKey: KeyObject
}

type StoredCommitment = Pick<VaultOwner, 'workspaceId' | 'shipmentId'> & {
  readonly commitment: string | null
}

/** What is stored under a reference, and the key under which events commit to it. */
export type Disclosed = VaultOwner & {
  /** The row that it belongs to: its own reference for a row. */
  readonly vaultRef: string
  /** Null = it cannot be decrypted in this place. */
  readonly opened: { readonly content: Buffer; readonly commitmentKey: KeyObject } | null
}

/** The same as the appends' batch: the rows and their events come together. */
const batchMax = 256
/**
 * About four batches of waiting: with more, the caller's own deadline would come before its turn.
 */
const queueMax = 1024
/** Rows or items opened at once: a page of a hundred shipments with room for their items. */
export const openMax = 500
/** References waiting to be read: those of some pages, and of a thousand requests. */
const readsMax = 10_000
/** A page of labels must not delay other reads. */
const readsInFlightMax = 2

/**
 * Keeps personal data and free text apart from the ledger. One row per shipment, under its own data
 * key, which the master key wraps; a request that loses the race to record the shipment leaves an
 * orphan row. Every seal names organization, shipment and reference, so that nothing opens in
 * another place. No decrypted data and no data key is kept.
 */
export class Vault {
  readonly #stored: VaultRows
  readonly #keys: MasterKeys
  readonly #rows: Batcher<RowToInsert, Stored>
  readonly #items: Batcher<SealedItem, boolean>
  readonly #rowReads: Batcher<string, SealedRow | null>
  readonly #itemReads: Batcher<string, StoredItem | null>

  constructor(stored: VaultRows, keys: MasterKeys) {
    this.#stored = stored
    this.#keys = keys
    const size = { batchMax, queueMax }
    this.#rows = new Batcher({ ...size, write: (rows) => stored.insertRows(rows) })
    this.#items = new Batcher({ ...size, write: (items) => stored.insertItems(items) })
    const reads = { batchMax: openMax, queueMax: readsMax, inFlightMax: readsInFlightMax }
    this.#rowReads = new Batcher({
      ...reads,
      write: async (refs) => inOrder(refs, await stored.readRows(refs)),
    })
    this.#itemReads = new Batcher({
      ...reads,
      write: async (refs) => inOrder(refs, await stored.readItems(refs)),
    })
  }

  /** Seals the payload under a new key and a new reference. Does not touch the database. */
  prepare(owner: VaultOwner, payload: JsonObject): VaultDraft {
    const ref = randomUUID()
    const dataKey = newDataKey()
    const parts = ownerParts(owner, ref)
    const content = Buffer.from(JSON.stringify(payload))
    const row = {
      ref,
      ...owner,
      ...wrapKey(this.#keys, dataKey, parts),
      payload: seal(dataKey, content, ['payload', ...parts]),
    }
    const sealer = sealerOf(ref, dataKey)
    const commitment = sealer.commitTo(ref, content)
    return { ...sealer, row, commitment, fingerprintKey: fingerprintKeyOf(dataKey) }
  }

  /**
   * Writes the row, in one statement with all others that wait. With a registration the same
   * transaction notes the attempt and reads the workspace's clock; with a reservation it takes a
   * place in the quota, and writes nothing at all when there is none. Throws VaultOverloaded,
   * VaultUnavailable. After either, prepare and put again.
   */
  put(draft: VaultDraft, beside: Partial<Beside> = {}): Promise<Stored> {
    return answered(this.#rows.add({ ...nothingBeside, ...beside, row: draft.row }))
  }

  /** The same for a later attempt of a shipment with an existing row. Safe to repeat. */
  register(beside: Partial<Beside>): Promise<Stored> {
    return answered(this.#rows.add({ ...nothingBeside, ...beside, row: null }))
  }

  /** The row, decrypted; null when it was erased or never written. */
  async open(ref: string): Promise<OpenVault | null> {
    return (await this.openAll([ref])).get(ref) ?? null
  }

  /** Each existing row that is not erased, by reference; at most 500. */
  async openAll(refs: readonly string[]): Promise<ReadonlyMap<string, OpenVault>> {
    atMost(refs, openMax)
    const opened = new Map<string, OpenVault>()
    const rows = await answered(Promise.all(refs.map((ref) => this.#rowReads.add(ref))))
    for (const row of rows) {
      if (row === null) continue
      const dataKey = unwrapKey(this.#keys, row, ownerParts(row, row.ref))
      const payload = unseal(dataKey, row.payload, ['payload', ...ownerParts(row, row.ref)])
      const { organizationId, workspaceId, shipmentId } = row
      opened.set(row.ref, {
        ...sealerOf(row.ref, dataKey),
        owner: { organizationId, workspaceId, shipmentId },
        payload: JSON.parse(payload.toString('utf8')) as JsonObject,
        // Computed only when a request is compared with its first.
        get fingerprintKey() {
          return fingerprintKeyOf(dataKey)
        },
      })
    }
    return opened
  }

  /**
   * Stores a later item of the same person under the row's data key and answers its reference; null
   * when the row is erased. A draft or an open row saves reading the key; a draft must have been
   * put. Each call creates a separate item. Throws VaultOverloaded, VaultUnavailable.
   */
  async putItem(vault: string | ItemSealer, content: JsonObject | Buffer): Promise<string | null> {
    return await this.keeper(vault).put(content)
  }

  /** For one command: keeps a row's data key only as long as the command takes. */
  keeper(vault: string | ItemSealer): Keeper {
    const commitments = new Map<string, string>()
    const items: SealedItem[] = []
    let opened: ItemSealer | null = null
    const sealerNow = async () => {
      opened ??= typeof vault === 'string' ? await this.open(vault) : vault
      return opened
    }
    return {
      commitments,
      bodyDigest: async (body) => (await sealerNow())?.bodyDigest(body) ?? null,
      put: async (content) => {
        const sealer = await sealerNow()
        if (sealer === null) return null
        const item = sealer.sealItem(content)
        if (!(await answered(this.#items.add(item)))) return null
        commitments.set(item.ref, item.commitment)
        items.push(item)
        return item.ref
      },
      putAgain: async () => {
        await answered(Promise.all(items.map((item) => this.#items.add(item))))
      },
    }
  }

  /**
   * What is stored under these references of rows and items, at most 500 of each, as events commit to
   * it: `commitment` null = stored, but it cannot be decrypted in this place. An erased or missing one
   * is left out.
   */
  async commitmentsOf(
    rowRefs: readonly string[],
    itemRefs: readonly string[],
  ): Promise<ReadonlyMap<string, StoredCommitment>> {
    const found = new Map<string, StoredCommitment>()
    for (const [ref, { workspaceId, shipmentId, opened }] of await this.disclose(
      rowRefs,
      itemRefs,
    )) {
      const commitment = opened && commitmentTo(opened.commitmentKey, ref, opened.content)
      found.set(ref, { workspaceId, shipmentId, commitment })
    }
    return found
  }

  /**
   * The content that is stored under these references of rows and items, byte for byte, at most 500
   * of each. An erased or missing one is left out.
   */
  async disclose(
    rowRefs: readonly string[],
    itemRefs: readonly string[],
  ): Promise<ReadonlyMap<string, Disclosed>> {
    atMost(rowRefs, openMax)
    atMost(itemRefs, openMax)
    const found = new Map<string, Disclosed>()
    const [rows, items] = await answered(
      Promise.all([
        Promise.all(rowRefs.map((ref) => this.#rowReads.add(ref))),
        Promise.all(itemRefs.map((ref) => this.#itemReads.add(ref))),
      ]),
    )
    const add = (stored: SealedRow | StoredItem, vaultRef: string, parts: readonly string[]) => {
      const { ref, organizationId, workspaceId, shipmentId } = stored
      const opened = this.#openedAt(stored, vaultRef, parts)
      found.set(ref, { organizationId, workspaceId, shipmentId, vaultRef, opened })
    }
    for (const row of rows) {
      if (row !== null) add(row, row.ref, ['payload', ...ownerParts(row, row.ref)])
    }
    for (const item of items) if (item !== null) add(item, item.vaultRef, itemParts(item))
    return found
  }

  #openedAt(
    stored: SealedRow | StoredItem,
    vaultRef: string,
    parts: readonly string[],
  ): Disclosed['opened'] {
    try {
      const dataKey = unwrapKey(this.#keys, stored, ownerParts(stored, vaultRef))
      const content = unseal(dataKey, stored.payload, parts)
      return { content, commitmentKey: commitmentKeyOf(dataKey) }
    } catch (error) {
      if (error instanceof SealBroken) return null
      throw error
    }
  }

  /** The item's content; null when the person was erased or it was never written. */
  async openItem(itemRef: string): Promise<JsonObject | Buffer | null> {
    return (await this.openItems([itemRef])).get(itemRef) ?? null
  }

  /** Each existing item, by reference; at most 500. */
  async openItems(itemRefs: readonly string[]): Promise<ReadonlyMap<string, JsonObject | Buffer>> {
    atMost(itemRefs, openMax)
    const opened = new Map<string, JsonObject | Buffer>()
    const items = await answered(Promise.all(itemRefs.map((ref) => this.#itemReads.add(ref))))
    for (const item of items) {
      if (item === null) continue
      const dataKey = unwrapKey(this.#keys, item, ownerParts(item, item.vaultRef))
      opened.set(item.ref, contentOf(unseal(dataKey, item.payload, itemParts(item))))
    }
    return opened
  }

  /**
   * Forgets the person of a shipment, or the notes of an operation: deletes key, payload and every item of each of its rows,
   * including those of racers that lost; writes under way for them are refused. The events that
   * name the reference stay as they are. Safe to repeat; false when there was nothing left to
   * erase.
   */
  erase(subjectId: string): Promise<boolean> {
    return answered(this.#stored.eraseRows(subjectId))
  }

  /** Resolves when every accepted write has been answered. */
  async close(): Promise<void> {
    await Promise.all([this.#rows.idle(), this.#items.idle()])
  }
}

/** The parts that every seal of a row names. */
export function ownerParts(
  owner: { readonly organizationId: string; readonly shipmentId: string },
  ref: string,
): readonly string[] {
  return ['vault v1', owner.organizationId, owner.shipmentId, ref]
}

function itemParts(item: { readonly vaultRef: string; readonly ref: string }): readonly string[] {
  return ['vault item v1', item.vaultRef, item.ref]
}

function fingerprintKeyOf(dataKey: KeyObject): KeyObject {
  return deriveKey(dataKey, 'request fingerprint v1')
}

function inOrder<Found extends { readonly ref: string }>(
  refs: readonly string[],
  found: readonly Found[],
): readonly (Found | null)[] {
  const byRef = new Map(found.map((each) => [each.ref, each]))
  return refs.map((ref) => byRef.get(ref) ?? null)
}

const nothingBeside: Beside = { registration: null, reservation: null }

const jsonContent = 0
const bytesContent = 1

function sealerOf(vaultRef: string, dataKey: KeyObject): ItemSealer {
  let derived: KeyObject | null = null
  const commitmentKey = () => {
    derived ??= commitmentKeyOf(dataKey)
    return derived
  }
  return {
    ref: vaultRef,
    bodyDigest: (body) => bodyDigest(commitmentKey(), body),
    commitTo: (ref, content) => commitmentTo(commitmentKey(), ref, content),
    sealItem: (content) => {
      const item = { ref: randomUUID(), vaultRef }
      const plaintext = Buffer.isBuffer(content)
        ? Buffer.concat([Buffer.of(bytesContent), content])
        : Buffer.concat([Buffer.of(jsonContent), Buffer.from(JSON.stringify(content))])
      return {
        ...item,
        payload: seal(dataKey, plaintext, itemParts(item)),
        commitment: commitmentTo(commitmentKey(), item.ref, plaintext),
      }
    },
  }
}

function contentOf(plaintext: Buffer): JsonObject | Buffer {
  const content = plaintext.subarray(1)
  return plaintext[0] === bytesContent
    ? content
    : (JSON.parse(content.toString('utf8')) as JsonObject)
}

function atMost(refs: readonly string[], max: number): void {
  if (refs.length > max) throw new Error(`bug: ${refs.length} references at once, at most ${max}`)
}

async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    if (cause instanceof BatcherFull) throw new VaultOverloaded('The vault is overloaded.')
    throw new VaultUnavailable('The vault cannot be reached.', { cause })
  }
}
