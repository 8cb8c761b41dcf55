import type { JsonObject } from '../../domain/decider.ts'
import { shipmentIdOfOwner } from '../../domain/ids.ts'
import { Problem } from '../../errors.ts'
import type { StoredEvent } from '../../event-store/event-store.ts'
import { commitmentTo } from '../../security/vault/commitment.ts'
import type { Disclosed, Vault } from '../../security/vault/vault.ts'
import {
  erasuresIn,
  isErasedBy,
  isNote,
  type VaultReference,
  vaultReferencesIn,
} from '../vault-references.ts'

/** The limit for all vault content of a shipment, before base64. */
const contentBytesMax = 16 * 1024 * 1024
/** Entries per read. Each may contain two bodies of 64 KiB for each of several requests. */
const openedAtOnce = 50

/** The kind of a vault entry, by the field of the event that names it. */
const kinds: Readonly<Record<string, string>> = {
  vault_ref: 'request',
  pickup_code_ref: 'pickup_code',
  detail_ref: 'courier_text',
  exchanges_ref: 'exchanges',
  resolution_ref: 'decision_note',
  comment_ref: 'comment',
  note_ref: 'hold_note',
  evidence_ref: 'tracking',
  label_ref: 'label_a6',
  a4_ref: 'label_a4',
}

/** The first byte of an item says what follows: JSON or raw bytes. */
const jsonMark = 0

type PersonalItem = {
  readonly reference: string
  readonly kind: string
  /** The stored bytes, which the events commit to. */
  readonly content: Buffer
  /** The parsed content if it is JSON. */
  readonly json: JsonObject | null
}

/** The vault's content for the events of a shipment. */
export type Personal = {
  readonly rows: readonly {
    readonly reference: string
    readonly commitmentKey: Buffer
    readonly items: readonly PersonalItem[]
  }[]
  /** References to content that an erasure destroyed. */
  readonly erased: readonly string[]
  /** References to content that is missing or belongs to another shipment, and was not erased. */
  readonly missing: readonly string[]
  /** References to content that does not match the event's commitment. */
  readonly altered: readonly string[]
}

/**
 * Reads the vault's content for these events of a shipment. Throws Problem `evidence_too_large`.
 */
export async function personalOf(
  vault: Pick<Vault, 'disclose'>,
  shipmentId: string,
  events: readonly StoredEvent[],
): Promise<Personal> {
  const named = [
    ...new Map(events.flatMap(vaultReferencesIn).map((one) => [one.ref, one])).values(),
  ]
  const erasures = erasuresIn(events)
  const rows = new Map<string, { commitmentKey: Buffer; items: PersonalItem[] }>()
  const lists = { erased: [] as string[], missing: [] as string[], altered: [] as string[] }
  let bytes = 0
  for (let from = 0; from < named.length; from += openedAtOnce) {
    const page = named.slice(from, from + openedAtOnce)
    const found = await disclosed(vault, page)
    for (const one of page) {
      const { ref, field, commitment } = one
      const own = ownIn(found, ref, shipmentId)
      const { opened, vaultRef } = own ?? { opened: null, vaultRef: '' }
      // Content is withheld as soon as its erasure is recorded, even if it is not carried out yet.
      const isErased = isErasedBy(erasures, one) && (own !== null || !found.has(ref))
      if (isErased || opened === null) {
        lists[isErased ? 'erased' : 'missing'].push(ref)
        continue
      }
      const { content, commitmentKey } = opened
      bytes += content.length
      if (bytes > contentBytesMax) throw tooLarge()
      const isAltered =
        commitment !== null && commitment !== commitmentTo(commitmentKey, ref, content)
      if (isAltered) lists.altered.push(ref)
      const row = rows.get(vaultRef) ?? { commitmentKey: commitmentKey.export(), items: [] }
      row.items.push({
        reference: ref,
        kind: kinds[field] ?? field,
        content,
        json: jsonIn(content, ref === vaultRef),
      })
      rows.set(vaultRef, row)
    }
  }
  return { rows: [...rows].map(([reference, row]) => ({ reference, ...row })), ...lists }
}

function disclosed(vault: Pick<Vault, 'disclose'>, page: readonly VaultReference[]) {
  const isRow = ({ field }: VaultReference) => field === 'vault_ref'
  const rows = page.filter((one) => isRow(one) || isNote(one)).map(({ ref }) => ref)
  const items = page.filter((one) => !isRow(one)).map(({ ref }) => ref)
  return vault.disclose(rows, items)
}

/**
 * Never returns content of another shipment, even if it was stored under this shipment's reference.
 */
function ownIn(
  found: ReadonlyMap<string, Disclosed>,
  ref: string,
  shipmentId: string,
): Disclosed | null {
  const entry = found.get(ref)
  if (entry === undefined) return null
  return shipmentIdOfOwner(entry.shipmentId) === shipmentId ? entry : null
}

function jsonIn(content: Buffer, isRow: boolean): JsonObject | null {
  if (!isRow && content[0] !== jsonMark) return null
  return JSON.parse(content.subarray(isRow ? 0 : 1).toString('utf8')) as JsonObject
}

function tooLarge(): Problem {
  const detail = `The personal data of the shipment exceeds ${contentBytesMax / 1024 / 1024} MiB. Ask for a bundle without it.`
  return new Problem('evidence_too_large', { detail })
}

/** `personal.json`: the stored `bytes` in base64 and, if they are JSON, also readable. */
export function personalFile(shipmentId: string, { rows, erased, missing }: Personal): Buffer {
  const file = {
    shipment_id: shipmentId,
    rows: rows.map(({ reference, commitmentKey, items }) => ({
      reference,
      commitment_key: commitmentKey.toString('hex'),
      items: items.map(({ reference, kind, content, json }) => ({
        reference,
        kind,
        bytes: content.toString('base64'),
        ...readable(json),
      })),
    })),
    erased,
    missing,
  }
  return Buffer.from(`${JSON.stringify(file, null, 2)}\n`)
}

/** A client may have chosen this name, which readers in other languages drop or misread. */
const strangeName = '"__proto__"'

function readable(json: JsonObject | null): object {
  if (json === null) return {}
  const text = JSON.stringify(json)
  return text.includes(strangeName) ? { text } : { json }
}
