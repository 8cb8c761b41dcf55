import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { z } from 'zod'

// Formats are not validated here: the patterns define what times look like.
const ajv = new Ajv2020({ strict: false, validateFormats: false })
/** At most one entry per event schema. */
const checks = new WeakMap<z.ZodType, ValidateFunction>()

/**
 * Whether a JSON value fits a JSON schema without transformations. The check is compiled from the
 * JSON Schema at its first use; it takes a fifth of the schema's own time and copies nothing. It
 * may answer false for a value that the schema would accept by leaving something out, so after a
 * false the schema itself must decide and explain. Lengths count characters here, and UTF-16 units
 * there.
 */
export function fits(schema: z.ZodType, value: unknown): boolean {
  const known = checks.get(schema)
  if (known !== undefined) return known(value)
  const made = ajv.compile(z.toJSONSchema(schema))
  checks.set(schema, made)
  return made(value)
}
