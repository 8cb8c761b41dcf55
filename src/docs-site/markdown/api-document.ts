import document from '../../../docs/openapi.json' with { type: 'json' }
import type { ApiDocument } from '../site-page.ts'

/** The API's OpenAPI document. */
export const api = document as unknown as ApiDocument
