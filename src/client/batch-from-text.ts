import type { Answered, CallOptions, Schemas } from './methods.ts'

/** The formats of lines, by the field that holds them, with their content types. */
export const textTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

type ForAll = Pick<
  Schemas['BatchRequest'],
  'external_reference' | 'workspace_id' | 'courier_connection_id'
>

/**
 * Creates a batch from up to 10,000 lines; as JSON it has at most 1,000 in 2 MiB. Text, or the bytes of a file as
 * they are. The first line of a CSV names the columns.
 */
export type CreateBatchFromText<Format extends keyof typeof textTypes> = (
  batch: ForAll & Readonly<Record<Format, string | Uint8Array<ArrayBuffer>>>,
  options?: Omit<CallOptions, 'ifMatch'>,
) => Promise<Answered<Schemas['Batch']>>
