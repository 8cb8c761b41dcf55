import { csv, textBodies } from '../batches/lines/text-bodies.ts'
import { jsonBodies } from '../rules/json-body.ts'
import { validatorCompiler } from '../rules/validation.ts'
import type { App } from '../server-deps.ts'

/** 160 bytes for each of 100,000 lines; those with every column have about 80. */
const bodyLimitBytes = 16 * 1024 * 1024
/** 2 KiB for each of 1,000 lines: JSON is parsed and checked in one go, so it has less room than CSV. */
const jsonLimitBytes = 2 * 1024 * 1024

/** The scope of the route: it takes CSV as well as JSON. */
export function invoiceBodies(scope: App): App {
  jsonBodies(scope, jsonLimitBytes)
  textBodies(scope, {
    types: [csv],
    bodyLimit: bodyLimitBytes,
    validator: validatorCompiler,
  })
  return scope
}
