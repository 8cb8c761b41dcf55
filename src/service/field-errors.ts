import type { core } from 'zod'
import type { FieldError } from './error-kinds.ts'

/** As many errors as a client can correct at once. No more are reported. */
export const errorsMax = 50
/** The longest part of a pointer. It may be a field name that the client made up. */
const pointerPartMax = 64

/** RFC 6901. */
export function pointer(path: readonly PropertyKey[]): string {
  return path
    .map((part) => String(part).slice(0, pointerPartMax))
    .map((part) => `/${part.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}

/** One error for each problem of a field, at most `atMost`. `data` is the checked value. */
export function fieldErrors(
  issues: readonly core.$ZodIssue[],
  root: string,
  data: unknown,
  atMost = errorsMax,
): FieldError[] {
  const found = new Map<string, FieldError>()
  for (const issue of issues) {
    for (const error of complaints(issue, root, data)) {
      const name = `${error.reason} ${error.pointer}`
      if (found.size < atMost && !found.has(name)) found.set(name, error)
    }
    if (found.size === atMost) break
  }
  return [...found.values()]
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null
        ? (value as Record<PropertyKey, unknown>)[part]
        : undefined,
    data,
  )
}

function complaints(issue: core.$ZodIssue, root: string, data: unknown): FieldError[] {
  const at = root + pointer(issue.path)
  // A missing field is reported as required, whatever its type.
  if (issue.code === 'invalid_value' && valueAt(data, issue.path) === undefined) {
    return [{ pointer: at, reason: 'required', detail: 'The field is required.' }]
  }
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, errorsMax).map((key) => ({
        pointer: at + pointer([key]),
        reason: 'unknown_field',
        detail: 'Unknown field.',
      }))
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? [{ pointer: at, reason: 'required', detail: 'The field is required.' }]
        : [{ pointer: at, reason: 'invalid_type', detail: `Expected ${issue.expected}.` }]
    case 'custom': {
      const reason = issue.params?.reason
      return [
        {
          pointer: at,
          reason: typeof reason === 'string' ? reason : 'invalid_value',
          detail: issue.message,
        },
      ]
    }
    case 'invalid_key':
      return issue.issues
        .slice(0, errorsMax)
        .flatMap((each) => complaints({ ...each, path: issue.path }, root, data))
    case 'invalid_union':
    case 'invalid_element':
      return [{ pointer: at, reason: 'invalid_value', detail: 'The value is not allowed here.' }]
    default:
      return [{ pointer: at, reason: issue.code, detail: issue.message }]
  }
}
