import type { z } from 'zod'
import type { Credentials } from '../../couriers/courier.ts'
import type { CourierMode } from '../../couriers/couriers.ts'
import type { FieldError } from '../../error-kinds.ts'
import { Problem } from '../../errors.ts'
import { errorsMax, pointer } from '../../field-errors.ts'
import type { ApiServices } from '../api-services.ts'
import { text } from '../openapi/schemas.ts'
import { credentialLengthMax, type credentials } from './connection-schema.ts'

/**
 * The credentials with the fields that the courier asks for, as it says now or last said; as they
 * are for a courier that has never said it. An error names a field and never its value.
 */
export async function checkedCredentials(
  { couriers }: Pick<ApiServices, 'couriers'>,
  mode: CourierMode,
  given: z.infer<typeof credentials>,
): Promise<Credentials> {
  const described = await couriers.describe(mode)
  if (described === null) return given
  const { credentialFields: fields } = described
  const errors: FieldError[] = []
  const names = new Set(fields.map(({ name }) => name))
  for (const name of Object.keys(given)) {
    if (names.has(name)) continue
    errors.push({ pointer: at(name), reason: 'unknown_field', detail: 'Unknown field.' })
  }
  const checked: Record<string, string> = {}
  for (const { name, secret, required } of fields) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined) {
      const detail = 'The field is required.'
      if (required) errors.push({ pointer: at(name), reason: 'required', detail })
      continue
    }
    // A secret is kept as it is, a name without the spaces that were pasted with it.
    const parsed = secret ? { success: true as const, data: value } : plain.safeParse(value)
    if (parsed.success) checked[name] = parsed.data
    else {
      const detail = 'The text has no visible characters.'
      errors.push({ pointer: at(name), reason: 'invisible_text', detail })
    }
  }
  if (errors.length > 0) {
    throw new Problem('validation_failed', { errors: errors.slice(0, errorsMax) })
  }
  return checked
}

const plain = text(credentialLengthMax)

function at(name: string): string {
  return pointer(['credentials', name])
}
