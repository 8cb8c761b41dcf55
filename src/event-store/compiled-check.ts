import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { z } from 'zod'

// Formats are only names here: what times look like stands in their patterns.
const ajv = new Ajv2020({ strict: false, validateFormats: false })
/** As many as there are schemas of events. */
const checks = new WeakMap<z.ZodType, ValidateFunction>()

/**
 * Whether a JSON value fits a schema of JSON without transformations, by a check that is compiled from
 * its JSON Schema at its first use: a fifth of the schema's own time, and nothing is copied. False may
 * also be said of what the schema would take by leaving something out, so a no is for the schema to
 * decide and to explain. Lengths count characters here, and UTF-16 units there.
 */
export function fits(schema: z.ZodType, value: unknown): boolean {
  const known = checks.get(schema)
  if (known !== undefined) return known(value)
  const made = ajv.compile(z.toJSONSchema(schema))
  checks.set(schema, made)
  return made(value)
}
