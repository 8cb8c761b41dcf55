import type { FastifySchemaCompiler } from 'fastify'
import { type core, safeParse } from 'zod'
import type { FieldError } from '../../error-kinds.ts'
import { Problem } from '../../errors.ts'

/** As many errors as a client can correct in one go. No more are described. */
export const errorsMax = 50
/** The longest part of a pointer, which may be a client's own key. */
const pointerPartMax = 64

/** RFC 6901. */
export function pointer(path: readonly PropertyKey[]): string {
  return path
    .map((part) => String(part).slice(0, pointerPartMax))
    .map((part) => `/${part.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}

/**
 * Checks each part of a request against its zod schema and reports errors in our words. A bad body
 * is 422 with pointers, a bad query is 400, and a malformed path id is not found.
 */
export const validatorCompiler: FastifySchemaCompiler<core.$ZodType> = ({ schema, httpPart }) => {
  return (data: unknown) => {
    const parsed = safeParse(schema, data)
    if (parsed.success) return { value: parsed.data }
    return { error: refusalOf(httpPart, data, parsed.error.issues) }
  }
}

function refusalOf(
  httpPart: string | undefined,
  data: unknown,
  issues: readonly core.$ZodIssue[],
): Problem {
  if (httpPart === 'params') return new Problem('not_found')
  if (httpPart === 'querystring') {
    return new Problem('invalid_filter', { errors: fieldErrors(issues, '#/query', data) })
  }
  if (data === undefined || data === null) {
    return new Problem('validation_failed', {
      errors: [{ pointer: '', reason: 'required', detail: 'The body must be a JSON object.' }],
    })
  }
  return new Problem('validation_failed', { errors: fieldErrors(issues, '', data) })
}

/** One error for each problem of a field, at most fifty; `data` is the checked value. */
export function fieldErrors(
  issues: readonly core.$ZodIssue[],
  root: string,
  data: unknown,
): FieldError[] {
  const found = new Map<string, FieldError>()
  for (const issue of issues) {
    for (const error of complaints(issue, root, data)) {
      const name = `${error.reason} ${error.pointer}`
      if (found.size < errorsMax && !found.has(name)) found.set(name, error)
    }
    if (found.size === errorsMax) break
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
  // A missing field is required, whatever its kind.
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
