import type { Answered, CallOptions, Schemas } from './methods.ts'

type About = Pick<
  Schemas['CourierInvoiceRequest'],
  'courier_connection_id' | 'reference' | 'period'
>

/**
 * Imports a courier's invoice of up to 100,000 lines; as JSON it has at most 1,000. Text, or the bytes
 * of a file as they are. The first line names the columns.
 */
export type CreateInvoiceFromCsv = (
  invoice: About & { readonly csv: string | Uint8Array<ArrayBuffer> },
  options?: Omit<CallOptions, 'ifMatch'>,
) => Promise<Answered<Schemas['CourierInvoice']>>
