import { isUtf8 } from 'node:buffer'
import { createSecretKey, type KeyObject } from 'node:crypto'
import canonicalize from 'canonicalize'
import { z } from 'zod'
import { vaultFieldsIn } from '../../domain/event-fields.ts'
import { fromBase64 } from '../../domain/ledger/note-key.ts'
import { bodyDigest, commitmentTo } from '../../security/vault/commitment.ts'
import type { EventLine } from '../export-format.ts'
import { parsedLine, unambiguous } from '../export-lines.ts'
import type { Findings } from '../findings.ts'
import { erasuresIn, isErasedBy, isNote } from '../vault-references.ts'

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

const itemSchema = z
  .strictObject({
    reference: z.string(),
    kind: z.string(),
    bytes: z.string(),
    json: z.looseObject({}).optional(),
    text: z.string().optional(),
  })
  .refine(({ json, text }) => json === undefined || text === undefined)
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
const digestsSchema = z.array(
  z.object({
    call: z.unknown().optional(),
    request_digest: z.string().nullable(),
    response_digest: z.string().nullable(),
  }),
)
const bodiesSchema = z.object({
  exchanges: z.array(
    z.object({
      request: z.string().nullable(),
      response: z.union([
        z.null(),
        z.strictObject({ text: z.string() }),
        z.strictObject({ base64: z.string() }),
      ]),
    }),
  ),
})

type PersonalFile = z.infer<typeof personalSchema>
type Kept = { readonly key: KeyObject; readonly content: Buffer; readonly row: string }
type Event = EventLine['event']
type Add = (problem: string) => void

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
  const add = (problem: string) => found.add(null, `personal.json: ${problem}`)
  if (personal.shipment_id !== shipmentId) add('it is about another shipment')
  const kept = keptIn(personal, add)
  const counts = { matching: 0, bodies: 0, withoutCommitment: 0, erased: 0 }
  const missing: string[] = []
  const named = new Set<string>()
  const erasures = erasuresIn(events)
  const requestRow = events[0]?.data.vault_ref
  const requests = announcedRequests()
  for (const event of events) {
    // An erasure names what it destroyed.
    if (event.type === 'PersonalDataErased') continue
    const { type, revision, data } = event
    const where = `${type} (revision ${revision})`
    const commitments = committedIn(data)
    if (commitments === null) {
      add(`the commitments of ${where} are not an object`)
      continue
    }
    for (const { name: field, ref } of vaultFieldsIn(data)) {
      named.add(ref)
      const item = kept.get(ref)
      const commitment = commitments?.get(ref) ?? null
      const isErased = isErasedBy(erasures, { field, commitment, revision })
      if (commitments !== undefined && commitment === null)
        add(`${where} commits to other entries, but not to ${ref}`)
      else if (item === undefined && isErased && !personal.missing.includes(ref)) counts.erased++
      else if (item === undefined) missing.push(ref)
      else if (isErased) add(`${ref} of ${where} is still there after its erasure`)
      else if (commitment === null) counts.withoutCommitment++
      else if (item.row !== (isRow(field) ? ref : requestRow))
        add(`${ref} of ${where} lies in another row`)
      else if (commitmentTo(item.key, ref, item.content) === commitment) counts.matching++
      else add(`${ref} is not what ${where} committed to`)
    }
    const bodies = bodiesIn(data, kept)
    if (bodies === null) add(`the bodies are not those of ${where}`)
    else if (!requests.areSame(data))
      add(`a request of ${where} is not the one that was recorded before it was sent`)
    else counts.bodies += bodies
    requests.add(event)
  }
  for (const ref of referencesIn(personal)) if (!named.has(ref)) add(`no event names ${ref}`)
  return { ...counts, missing }
}

/** Whether a member of an event refers to a row of its own, and not to an item in that of the request. */
const isRow = (field: string) => field === 'vault_ref' || isNote({ field })

/** By reference; undefined = the event is from before there were commitments, null = malformed. */
function committedIn({
  commitments,
}: Event['data']): ReadonlyMap<string, string> | null | undefined {
  if (commitments === undefined) return undefined
  const isObject =
    commitments !== null && typeof commitments === 'object' && !Array.isArray(commitments)
  if (!isObject) return null
  return new Map(Object.entries(commitments).map(([ref, value]) => [ref, String(value)]))
}

/** All that the file names, each once. */
function referencesIn({ rows, erased, missing }: PersonalFile): ReadonlySet<string> {
  const inRows = rows.flatMap(({ reference, items }) => [
    reference,
    ...items.map((item) => item.reference),
  ])
  return new Set([...inRows, ...erased, ...missing])
}

/** What was kept, by reference, each with the key of its row. */
function keptIn({ rows, erased, missing }: PersonalFile, add: Add): ReadonlyMap<string, Kept> {
  const kept = new Map<string, Kept>()
  const items = rows.flatMap((row) => row.items.map(({ reference }) => reference))
  for (const reference of repeatedIn([...items, ...erased, ...missing])) {
    add(`${reference} occurs twice`)
  }
  const rowOf = new Map(rows.map((row) => [row.reference, row]))
  if (rowOf.size < rows.length) add('a row occurs twice')
  for (const row of rows) {
    const key = createSecretKey(row.commitment_key, 'hex')
    for (const item of row.items) {
      const { reference } = item
      const content = fromBase64(item.bytes)
      if (kept.has(reference)) continue
      if ((rowOf.get(reference) ?? row) !== row) add(`${reference} lies in another row`)
      else if (content === null || !isStored(item, content, reference === row.reference))
        add(`${reference} is not in the form of stored content, or shows something else`)
      else kept.set(reference, { key, content, row: row.reference })
    }
  }
  return kept
}

function repeatedIn(references: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const one of references) (seen.has(one) ? repeated : seen).add(one)
  return repeated
}

/** Null if it is not UTF-8: readers would choose different characters for what is not. */
function textIn(bytes: Buffer): string | null {
  return isUtf8(bytes) ? bytes.toString('utf8') : null
}

/**
 * Whether content has the form in which the vault stores it: JSON in a row; otherwise a byte 0x00 and
 * JSON, or 0x01 and bytes. What the item shows must be the same JSON.
 */
function isStored(
  { json, text }: z.infer<typeof itemSchema>,
  content: Buffer,
  isRow: boolean,
): boolean {
  const isShown = json !== undefined || text !== undefined
  if (!isRow && content[0] === 1) return !isShown
  if (!isRow && content[0] !== 0) return false
  const own = textIn(content.subarray(isRow ? 0 : 1))
  const value = own === null ? null : jsonObjectIn(own)
  if (value === null) return false
  if (text !== undefined) return text === own
  return json === undefined || canonicalize(json) === canonicalize(value)
}

/** Null if it is not a JSON object. A client may have chosen the name `__proto__`. */
function jsonObjectIn(text: string): object | null {
  try {
    const value = unambiguous(text, true)
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** How many bodies that were kept have the digests in the event; null if one of them differs. */
function bodiesIn(
  { exchanges: listed, exchanges_ref: ref }: Event['data'],
  kept: ReadonlyMap<string, Kept>,
): number | null {
  if (listed === undefined && ref === undefined) return 0
  const exchanges = digestsSchema.safeParse(listed).data
  if (exchanges === undefined || !(ref === null || typeof ref === 'string')) return null
  const item = ref === null ? undefined : kept.get(ref)
  if (item === undefined) return 0
  const content = item.content[0] === 0 ? jsonObjectIn(item.content.toString('utf8', 1)) : null
  const bodies = bodiesSchema.safeParse(content).data?.exchanges
  if (bodies?.length !== exchanges.length) return null
  let matching = 0
  for (const [index, { request_digest: sent, response_digest: received }] of exchanges.entries()) {
    const { request = null, response = null } = bodies[index] ?? {}
    const answer = response === null ? null : bytesOf(response)
    const pairs = [
      [sent, request === null ? null : Buffer.from(request)],
      [received, answer],
    ] as const
    if (response !== null && answer === null) return null
    for (const [digest, body] of pairs) {
      if (digest !== (body === null ? null : bodyDigest(item.key, body))) return null
      if (body !== null) matching++
    }
  }
  return matching
}

/** The requests to make a guide, whose digests are recorded before anything is sent. */
function announcedRequests() {
  const digests = new Map<unknown, unknown>()
  return {
    add({ type, data }: Event): void {
      const { operation_id: operationId, request_digest: digest } = data
      if (type === 'GuideRequested' && typeof operationId === 'string' && digest !== undefined)
        digests.set(operationId, digest)
    },
    /** Whether those of an event are the ones of its operation. */
    areSame({ operation_id: operationId, exchanges }: Event['data']): boolean {
      if (!digests.has(operationId)) return true
      const sent = (digestsSchema.safeParse(exchanges).data ?? [])
        .filter(({ call }) => call === 'create')
        .map(({ request_digest: digest }) => digest)
      // Null: the person was erased before the answer came.
      return sent.every((digest) => digest === null || digest === digests.get(operationId))
    },
  }
}

/** Null if it is not base64. */
function bytesOf(response: { readonly text: string } | { readonly base64: string }): Buffer | null {
  return 'text' in response ? Buffer.from(response.text) : fromBase64(response.base64)
}
