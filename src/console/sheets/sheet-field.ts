/** A field of a line, and the service's columns for it. */
export type SheetField = {
  /** The service's column. With units, its name without the unit. */
  readonly column: string
  /** The service's column for an id, where `column` takes a name or an id. */
  readonly idColumn?: string
  /** The units that a column may have. The first is that of the field. */
  readonly units?: readonly string[]
  /** How a value is shown, if not as it is. */
  readonly kind?: 'agency' | 'product' | 'money'
  readonly choices?: readonly string[]
  /** Fields with an example are in the template. */
  readonly example?: string
}

/** By JSON pointer. */
export type SheetFields = Readonly<Record<string, SheetField>>
