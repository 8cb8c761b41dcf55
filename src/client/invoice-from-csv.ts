import type { ColumnChoices } from './batch-from-text.ts'
import type { Answered, CallOptions, Schemas } from './methods.ts'

type About = Pick<
  Schemas['CourierInvoiceRequest'],
  'courier_connection_id' | 'reference' | 'period'
>
type Lines = ColumnChoices & { readonly csv: string | Uint8Array<ArrayBuffer> }

/**
 * Imports a courier's invoice of up to 100,000 lines from text or the unchanged bytes of a file.
 * JSON allows at most 1,000 lines. The first line names the columns. With `skip_invalid`, wrong lines
 * are kept beside the others and bill nothing; without it they refuse the file.
 */
export type CreateInvoiceFromCsv = (
  invoice: About & Lines & { readonly skip_invalid?: boolean },
  options?: Omit<CallOptions, 'ifMatch'>,
) => Promise<Answered<Schemas['CourierInvoice']>>

/** Says what an import of this file would refuse. Stores nothing. */
export type CheckInvoiceCsv = (
  invoice: Pick<About, 'courier_connection_id'> & Partial<About> & Lines,
  options?: Omit<CallOptions, 'ifMatch' | 'idempotencyKey'>,
) => Promise<Answered<Schemas['CourierInvoiceCheck']>>
