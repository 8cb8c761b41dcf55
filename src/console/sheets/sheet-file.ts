/** A spreadsheet's file as it is, or pasted cells. Only the service reads it. */
export type SheetFile = {
  readonly id: string
  /** Counts the corrections that were made here. */
  readonly version: number
  /** Null if it was pasted. */
  readonly name: string | null
  readonly content: Uint8Array<ArrayBuffer> | string
}
