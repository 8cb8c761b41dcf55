import type { Answered, CallOptions, Schemas } from './methods.ts'

type CsvBatch = Pick<
  Schemas['BatchRequest'],
  'external_reference' | 'workspace_id' | 'courier_connection_id'
> & {
  /** As a spreadsheet saves it. The first line names the columns. */
  readonly csv: string
}

/** Creates a batch from a CSV of up to 10,000 lines. As JSON it has at most 1,000. */
export type CreateBatchFromCsv = (
  batch: CsvBatch,
  options?: Omit<CallOptions, 'ifMatch'>,
) => Promise<Answered<Schemas['Batch']>>
