import { isUtf8 } from 'node:buffer'
import { createSecretKey, type KeyObject } from 'node:crypto'
import canonicalize from 'canonicalize'
import { z } from 'zod'
import type { JsonObject } from '../../domain/decider.ts'
import { exchange, vaultRefsIn } from '../../domain/event-fields.ts'
import { bodyDigest, commitmentTo } from '../../security/vault/commitment.ts'
import type { EventLine } from '../export-format.ts'
import { parsedLine } from '../export-lines.ts'
import type { Findings } from '../findings.ts'
import { erasuresIn, isErasedBy } from '../verify-vault.ts'

/** What `personal.json` of a bundle proves. */
export type VerifiedPersonal = {
  /** Entries that are what an event committed to. */
  readonly matching: number
  /** Bodies of requests and answers that have the digest in their event. */
  readonly bodies: number
  /** Entries named by events from before there were commitments. */
  readonly withoutCommitment: number
  readonly erased: number
  /** References to what is not in the file, and no erasure explains it. */
  readonly missing: readonly string[]
}

const itemSchema = z.strictObject({
  reference: z.string(),
  kind: z.string(),
  bytes: z.string(),
  json: z.looseObject({}).optional(),
  text: z.string().optional(),
})
const personalSchema = z.strictObject({
  shipment_id: z.string(),
  rows: z.array(
    z.strictObject({
      reference: z.string(),
      commitment_key: z.string().regex(/^[0-9a-f]{64}$/),
      items: z.array(itemSchema),
    }),
  ),
  erased: z.array(z.string()),
  missing: z.array(z.string()),
})
const exchangesSchema = z.array(exchange)
const bodiesSchema = z.object({
  exchanges: z.array(
    z.object({
      request: z.string(),
      response: z.union([
        z.null(),
        z.strictObject({ text: z.string() }),
        z.strictObject({ base64: z.string() }),
      ]),
    }),
  ),
})

type Kept = { readonly key: KeyObject; readonly content: Buffer }
type Event = EventLine['event']

/** Checks that the file shows what the events committed to; null if it cannot be read. */
export function checkPersonal(
  file: Buffer,
  shipmentId: string,
  events: readonly Event[],
  found: Findings,
): VerifiedPersonal | null {
  const personal = parsedLine(personalSchema, textIn(file))
  if (personal === null) {
    found.add(null, 'personal.json is malformed')
    return null
  }
  if (personal.shipment_id !== shipmentId)
    found.add(null, 'personal.json is about another shipment')
  const kept = keptIn(personal.rows, found)
  const counts = { matching: 0, bodies: 0, withoutCommitment: 0, erased: 0 }
  const missing: string[] = []
  const named = new Set<string>()
  const erasures = erasuresIn(events)
  for (const event of events) {
    // An erasure names what it destroyed.
    if (event.type === 'PersonalDataErased') continue
    const commitments = (event.data.commitments ?? {}) as JsonObject
    for (const ref of vaultRefsIn(event.data)) {
      named.add(ref)
      const item = kept.get(ref)
      const commitment = commitments[ref]
      if (item === undefined) {
        const isErased = isErasedBy(
          erasures,
          event.type,
          typeof commitment === 'string' ? commitment : null,
        )
        if (isErased && !personal.missing.includes(ref)) counts.erased++
        else missing.push(ref)
      } else if (commitment === undefined) counts.withoutCommitment++
      else if (commitmentTo(item.key, ref, item.content) === commitment) counts.matching++
      else found.add(null, `personal.json: ${ref} is not what ${nameOf(event)} committed to`)
    }
    counts.bodies += checkBodies(event, kept.get(String(event.data.exchanges_ref)), found)
  }
  for (const ref of kept.keys()) {
    if (!named.has(ref)) found.add(null, `personal.json: no event names ${ref}`)
  }
  return { ...counts, missing }
}

function keptIn(
  rows: z.infer<typeof personalSchema>['rows'],
  found: Findings,
): ReadonlyMap<string, Kept> {
  const kept = new Map<string, Kept>()
  for (const row of rows) {
    const key = createSecretKey(row.commitment_key, 'hex')
    for (const item of row.items) {
      const content = Buffer.from(item.bytes, 'base64')
      const { reference } = item
      if (content.toString('base64') !== item.bytes || kept.has(reference))
        found.add(null, `personal.json: ${reference} is malformed or occurs twice`)
      else if (!isReadable(item, content, reference === row.reference))
        found.add(null, `personal.json: ${reference} does not show what its bytes say`)
      else kept.set(reference, { key, content })
    }
  }
  return kept
}

/** Null if it is not UTF-8: readers would choose different characters for what is not. */
function textIn(bytes: Buffer): string | null {
  return isUtf8(bytes) ? bytes.toString('utf8') : null
}

/** Whether an item shows its JSON as it is: all but that of a row follows a byte 0x00. */
function isReadable(
  { json, text }: z.infer<typeof itemSchema>,
  content: Buffer,
  isRow: boolean,
): boolean {
  if (json === undefined && text === undefined) return true
  if (!isRow && content[0] !== 0) return false
  const own = textIn(content.subarray(isRow ? 0 : 1))
  if (own === null) return false
  if (text !== undefined) return text === own && json === undefined
  try {
    return canonicalize(json) === canonicalize(JSON.parse(own))
  } catch {
    return false
  }
}

/** Compares the bodies with the digests in the event; answers how many match. */
function checkBodies(event: Event, item: Kept | undefined, found: Findings): number {
  if (item === undefined) return 0
  const exchanges = exchangesSchema.safeParse(event.data.exchanges).data
  const bodies = parsedLine(bodiesSchema, textIn(item.content.subarray(1)))?.exchanges
  if (exchanges === undefined || bodies?.length !== exchanges.length) {
    found.add(null, `personal.json: the bodies are not those of ${nameOf(event)}`)
    return 0
  }
  let matching = 0
  for (const [index, { request_digest: sent, response_digest: received }] of exchanges.entries()) {
    const { request = '', response = null } = bodies[index] ?? {}
    const pairs = [
      [sent, Buffer.from(request)],
      [received, response === null ? null : bytesOf(response)],
    ] as const
    for (const [digest, body] of pairs) {
      if (digest !== (body === null ? null : bodyDigest(item.key, body)))
        found.add(null, `personal.json: the bodies are not those of ${nameOf(event)}`)
      else if (body !== null) matching++
    }
  }
  return matching
}

function bytesOf(response: { readonly text: string } | { readonly base64: string }): Buffer {
  return 'text' in response ? Buffer.from(response.text) : Buffer.from(response.base64, 'base64')
}

function nameOf({ type, revision }: Event): string {
  return `event ${revision} (${type})`
}
