import { z } from 'zod'
import { storedActor } from '../event-store/codec.ts'
import { isTimestamp } from './signed-note.ts'

/** The lines of an exported file. docs/guides/ledger-format.md describes them for auditors. */

export const exportFormat = 'shipping-ledger-export/2'
/**
 * A part of the ledger without a signed statement: from an earlier version, or written without the
 * key.
 */
export const unstatedFormat = 'shipping-ledger-export/1'

const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const time = z.string().refine(isTimestamp)

const header = {
  exported_at: time,
  /** The requested scope; all null = the whole ledger. `from` is inclusive, `to` is exclusive. */
  scope: z.strictObject({
    organization_id: z.string().nullable(),
    shipment_id: z.string().nullable(),
    from: time.nullable(),
    to: time.nullable(),
  }),
  /** The signed note that every proof leads to; null if nothing was sealed. */
  checkpoint: z.string().nullable(),
  /** The keys in the order of their use, each with the first checkpoint that it signed. */
  keys: z.array(z.strictObject({ verifier: z.string(), introduced_by: z.string().nullable() })),
}

/** A checkpoint that an auditor holds, with the proof that the file's checkpoint continues it. */
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
 * In an export of a part of the ledger, after its events: the revisions of each stream in the
 * scope, once each, ordered by stream name.
 */
export const streamLineSchema = z.strictObject({
  stream: z.string(),
  first_revision: z.int().min(0),
  last_revision: z.int().min(0),
})

export const footerSchema = z.strictObject({
  /** The number of event lines before this one. A file that was cut off lacks this line. */
  events: z.int().min(0),
  /** Events of the scope that were left out because the checkpoint does not cover them yet. */
  not_sealed: z.int().min(0),
  /** In an export of a part of the ledger: a signed note about its stream lines. */
  statement: z.string().optional(),
})

export type ExportHeader = z.infer<typeof headerSchema>
export type EventLine = z.infer<typeof eventLineSchema>
export type ConsistencyEntry = z.infer<typeof consistencySchema>
export type StreamLine = z.infer<typeof streamLineSchema>
export type ExportFooter = z.infer<typeof footerSchema>
