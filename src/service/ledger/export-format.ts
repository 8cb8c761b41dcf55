import { z } from 'zod'
import { storedActor } from '../event-store/codec.ts'
import { isTimestamp } from './signed-note.ts'

/** The lines of an exported file: docs/guides/ledger-format.md tells auditors what each means. */

export const exportFormat = 'shipping-ledger-export/2'
/** A part of the ledger without a signed statement: written before there was one, or without the key. */
export const unstatedFormat = 'shipping-ledger-export/1'

const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const time = z.string().refine(isTimestamp)

const header = {
  exported_at: time,
  /** The requested scope; all null = the whole ledger. `from` is included, `to` is not. */
  scope: z.strictObject({
    organization_id: z.string().nullable(),
    shipment_id: z.string().nullable(),
    from: time.nullable(),
    to: time.nullable(),
  }),
  /** The signed note that every proof leads to; null = nothing was sealed. */
  checkpoint: z.string().nullable(),
  /** The keys in the order of their use, with the first checkpoint that each signed. */
  keys: z.array(z.strictObject({ verifier: z.string(), introduced_by: z.string().nullable() })),
}

/** A checkpoint that an auditor holds, proved to be the beginning of the file's own. */
const consistencySchema = z.strictObject({
  size: z.int().min(1),
  root: hash,
  proof: z.array(hash),
})

export const headerSchema = z.discriminatedUnion('format', [
  z.strictObject({ format: z.literal(unstatedFormat), ...header }),
  z.strictObject({
    format: z.literal(exportFormat),
    ...header,
    consistency: z.array(consistencySchema).optional(),
  }),
])

export const eventLineSchema = z.strictObject({
  stream: z.string(),
  organization_id: z.string(),
  leaf_index: z.int().min(0),
  /** Absent in an export of the whole ledger, because its tree can be rebuilt. */
  proof: z.array(hash).optional(),
  event: z
    .strictObject({
      id: uuid,
      object: z.literal('ledger_event'),
      livemode: z.boolean(),
      created_at: time,
      type: z.string(),
      schema: z.int().min(1),
      shipment_id: z.string().nullable(),
      revision: z.int().min(0),
      recorded_at: time,
      occurred_at: time,
      workspace_id: z.string().nullable(),
      actor: z.strictObject(storedActor),
      request_id: z.string().nullable(),
      causation_id: z.string().nullable(),
      correlation_id: z.string(),
      data: z.record(z.string(), z.json()),
      position: z.string(),
      leaf: hash,
    })
    .refine((event) => event.created_at === event.recorded_at),
})

/**
 * In a part of the ledger, after its events: the revisions of each stream in the scope. Ordered by the
 * names of the streams, each once.
 */
export const streamLineSchema = z.strictObject({
  stream: z.string(),
  first_revision: z.int().min(0),
  last_revision: z.int().min(0),
})

export const footerSchema = z.strictObject({
  /** Event lines before this one: a file that was cut off has no such line. */
  events: z.int().min(0),
  /** Events of the scope that the checkpoint did not cover yet and that were left out. */
  not_sealed: z.int().min(0),
  /** In a part of the ledger: a signed note about the lines of its streams. */
  statement: z.string().optional(),
})

export type ExportHeader = z.infer<typeof headerSchema>
export type EventLine = z.infer<typeof eventLineSchema>
export type ConsistencyEntry = z.infer<typeof consistencySchema>
export type StreamLine = z.infer<typeof streamLineSchema>
export type ExportFooter = z.infer<typeof footerSchema>
