import { jsonListBodies } from '../batches/lines/json-list-body.ts'
import { csv, textBodies } from '../batches/lines/text-bodies.ts'
import { validatorCompiler } from '../rules/validation.ts'
import type { App } from '../server-deps.ts'
import { invoiceBody, invoiceRequest, jsonLinesMax } from './invoice-schema.ts'

/** 160 bytes for each of 100,000 lines; those with every column have about 80. */
const bodyLimitBytes = 16 * 1024 * 1024
/** 2 KiB for each of 1,000 lines. */
const jsonLimitBytes = 2 * 1024 * 1024

/** The scope of the route: it takes CSV as well as JSON. */
export function invoiceBodies(scope: App): App {
  jsonListBodies(scope, { bodyLimit: jsonLimitBytes, member: 'lines', itemsMax: jsonLinesMax })
  textBodies(scope, {
    types: [csv],
    bodyLimit: bodyLimitBytes,
    // The document describes the lines, which are checked in slices.
    validator: (route) =>
      validatorCompiler(
        route.schema === invoiceRequest ? { ...route, schema: invoiceBody } : route,
      ),
  })
  return scope
}
