import type { FastifySchemaCompiler } from 'fastify'
import { type core, safeParse } from 'zod'
import { Problem } from '../../errors.ts'
import { fieldErrors } from '../../field-errors.ts'

/**
 * Checks each part of a request against its zod schema and reports the errors in our own words. An
 * invalid body is 422 with pointers, an invalid query 400, and a malformed id in the path 404.
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
