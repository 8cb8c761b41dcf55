import type { Answered, CallOptions, Schemas } from './methods.ts'

/** The content type of each field that holds lines as text. */
export const textTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const
type TextFormat = keyof typeof textTypes

type ForAll = Pick<
  Schemas['BatchRequest'],
  'external_reference' | 'workspace_id' | 'courier_connection_id'
>

/** How the columns of a CSV are to be read. */
export type ColumnChoices = {
  /**
   * By header of the file: the column that it stands for, such as `weight_g`; `null` leaves it out,
   * and `"*": null` all columns that are not recognized.
   */
  readonly columns?: Readonly<Record<string, string | null>>
  /** By column: the text of every line whose cell is empty or absent. */
  readonly values?: Readonly<Record<string, string>>
}

type LinesAsText<Format extends TextFormat> = Readonly<
  Record<Format, string | Uint8Array<ArrayBuffer>>
> &
  (Format extends 'csv'
    ? ColumnChoices & {
        /** By text of a cell that names an agency or a product: the id that it stands for. */
        readonly names?: Readonly<Record<string, string>>
      }
    : unknown)

/**
 * Creates a batch of up to 10,000 lines from text or the unchanged bytes of a file. JSON allows at
 * most 1,000 lines and 2 MiB. The first line of a CSV names the columns. With `skip_invalid`, wrong
 * lines stay in the batch as `invalid`.
 */
export type CreateBatchFromText<Format extends TextFormat> = (
  batch: ForAll & LinesAsText<Format> & { readonly skip_invalid?: boolean },
  options?: Omit<CallOptions, 'ifMatch'>,
) => Promise<Answered<Schemas['Batch']>>

/** Says what a creation of these lines would refuse. Stores nothing. */
export type CheckBatchText<Format extends TextFormat> = (
  batch: Partial<ForAll> & LinesAsText<Format>,
  options?: Omit<CallOptions, 'ifMatch' | 'idempotencyKey'>,
) => Promise<Answered<Schemas['BatchCheck']>>
