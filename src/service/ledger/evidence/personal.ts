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

/** Of everything that the vault holds about a shipment, before base64. */
const contentBytesMax = 16 * 1024 * 1024
/** Each may be two bodies of 64 KiB for each of some requests. */
const openedAtOnce = 50

/** What an entry of the vault is, by the field of the event that names it. */
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

/** The first byte of an entry that is not a row says what follows: JSON, or bytes as they are. */
const jsonMark = 0

type PersonalItem = {
  readonly reference: string
  readonly kind: string
  /** As stored, and as the events commit to it. */
  readonly content: Buffer
  /** The content, if it is JSON. */
  readonly json: JsonObject | null
}

/** What the vault holds of what the events of a shipment leave there. */
export type Personal = {
  readonly rows: readonly {
    readonly reference: string
    readonly commitmentKey: Buffer
    readonly items: readonly PersonalItem[]
  }[]
  /** References to what an erasure destroyed. */
  readonly erased: readonly string[]
  /** References to what is not there, or belongs elsewhere, and was not erased. */
  readonly missing: readonly string[]
  /** References to what is not what the event committed to. */
  readonly altered: readonly string[]
}

/**
 * Reads everything that these events of a shipment leave in the vault. Throws Problem
 * `evidence_too_large`.
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
      // Also while the erasure is recorded and not yet carried out: then it is not handed out any more.
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

/** Nothing of another shipment leaves with this one, even if it was put in its place. */
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

/** `personal.json`: `bytes` in base64, exactly as they are stored, and readable where they are JSON. */
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

/** Readers in other languages drop or misread this name, which a client may have chosen. */
const strangeName = '"__proto__"'

function readable(json: JsonObject | null): object {
  if (json === null) return {}
  const text = JSON.stringify(json)
  return text.includes(strangeName) ? { text } : { json }
}
