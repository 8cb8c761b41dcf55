import { type KeyObject, randomUUID } from 'node:crypto'
import { Batcher, BatcherFull } from '../../database/batcher.ts'
import type { JsonObject } from '../../domain/decider.ts'
import type { SealedItem, SealedRow, VaultOwner } from '../../event-store/beside.ts'
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
import type { StoredItem, VaultRows } from './vault-rows.ts'

/** The queue is full and nothing was written. Retrying later is safe. */
export class VaultOverloaded extends Error {
  override readonly name = 'VaultOverloaded'
}

/** The database did not answer. A write may have been done. */
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

/** What a command stores in the vault together with its events. */
export type ItemsOfCommand = {
  readonly beside: { readonly items: readonly SealedItem[] }
  /** The commitments to their content, by reference. */
  readonly commitments: Commitments
}

/** Seals the items of one command. They are stored by the append of its events. */
export type ItemWriter = ItemsOfCommand & {
  /** The reference of the item; null once the row is erased. */
  readonly write: (content: JsonObject | Buffer) => string | null
  /** The digest that an event has in place of a body; null once the row is erased. */
  readonly bodyDigest: (body: Uint8Array) => string | null
}

/** A row that has not been stored yet, with its own random reference and data key. */
export type VaultDraft = ItemSealer & {
  readonly row: SealedRow
  /** The commitment to the payload, for the event that names the reference. */
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

/** The stored content of a reference, and the key under which events commit to it. */
export type Disclosed = VaultOwner & {
  /** The reference of the row that it belongs to; for a row, its own. */
  readonly vaultRef: string
  /** Null if the content cannot be decrypted in this place. */
  readonly opened: { readonly content: Buffer; readonly commitmentKey: KeyObject } | null
}

/** Rows or items per call: a page of a hundred shipments, with room for their items. */
export const openMax = 500
/** References waiting to be read: a few pages, and a thousand requests. */
const readsMax = 10_000
/** A page of labels must not delay other reads. */
const readsInFlightMax = 2

/**
 * Stores personal data and free text outside the ledger: one row per shipment, under its own data
 * key, which the master key wraps. Every seal is bound to organization, shipment and reference, so
 * data cannot be decrypted in another place. No decrypted data and no data key is cached.
 */
export class Vault {
  readonly #stored: VaultRows
  readonly #keys: MasterKeys
  readonly #rowReads: Batcher<string, SealedRow | null>
  readonly #itemReads: Batcher<string, StoredItem | null>

  constructor(stored: VaultRows, keys: MasterKeys) {
    this.#stored = stored
    this.#keys = keys
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

  /**
   * Seals the payload under a new key and a new reference. The append of the event that names it stores
   * the row.
   */
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

  /** The decrypted row; null if it was erased or never written. */
  async open(ref: string): Promise<OpenVault | null> {
    return (await this.openAll([ref])).get(ref) ?? null
  }

  /** The existing rows that are not erased, by reference. Takes at most 500 references. */
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
        // Computed only when a request is compared with the first one of its key.
        get fingerprintKey() {
          return fingerprintKeyOf(dataKey)
        },
      })
    }
    return opened
  }

  /**
   * Seals later items of the same person under the row's data key. Passing a draft or an open row saves
   * reading the key; the same append must store a draft's row, if nothing has yet. It holds the key, so do not keep it longer than the
   * command.
   */
  async writer(vault: string | ItemSealer): Promise<ItemWriter> {
    const sealer = typeof vault === 'string' ? await this.open(vault) : vault
    const commitments = new Map<string, string>()
    const items: SealedItem[] = []
    return {
      beside: { items },
      commitments,
      bodyDigest: (body) => sealer?.bodyDigest(body) ?? null,
      write: (content) => {
        if (sealer === null) return null
        const { commitment, ...item } = sealer.sealItem(content)
        commitments.set(item.ref, commitment)
        items.push(item)
        return item.ref
      },
    }
  }

  /**
   * The commitments to the content of these rows and items, at most 500 of each. `commitment` is
   * null for content that cannot be decrypted in this place. Erased and missing references are left
   * out.
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

  /** The stored content of these rows and items, byte for byte. Same limits as `commitmentsOf`. */
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

  /** The item's content; null if the person was erased or it was never written. */
  async openItem(itemRef: string): Promise<JsonObject | Buffer | null> {
    return (await this.openItems([itemRef])).get(itemRef) ?? null
  }

  /** The existing items, by reference. Takes at most 500 references. */
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
   * Erases the personal data of a shipment, or the notes of an operation: deletes key, payload and
   * every item of each of its rows, including the rows of requests that lost a race. Writes in
   * flight for them are refused. The events that name the references do not change. Safe to repeat;
   * false if there was nothing left to erase.
   */
  erase(subjectId: string): Promise<boolean> {
    return answered(this.#stored.eraseRows(subjectId))
  }
}

/** The associated data of every seal of a row. */
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

/** Throws VaultOverloaded or VaultUnavailable for what a batch of the vault throws. */
export async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    if (cause instanceof BatcherFull) throw new VaultOverloaded('The vault is overloaded.')
    throw new VaultUnavailable('The vault cannot be reached.', { cause })
  }
}
