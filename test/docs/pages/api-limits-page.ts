import { ownLimits } from './limits.ts'

type Shown = {
  readonly what: string
  readonly file: string
  readonly name: string
  /** What happens when it is exceeded. */
  readonly beyond: string
}

/** The limits that a client of the API can reach. */
const shown: readonly Shown[] = [
  {
    what: 'The body of a request',
    file: 'src/service/http/server.ts',
    name: 'bodyLimitBytes',
    beyond: '413 `body_too_large`',
  },
  {
    what: 'Fields of a request, at all depths',
    file: 'src/service/strict-json.ts',
    name: 'fieldsMax',
    beyond: '422 `validation_failed`',
  },
  {
    what: 'Items of all lists of a request',
    file: 'src/service/strict-json.ts',
    name: 'itemsMax',
    beyond: '422 `validation_failed`',
  },
  {
    what: 'The body of a batch as JSON',
    file: 'src/service/http/batches/batch-bodies.ts',
    name: 'jsonLimitBytes',
    beyond: '413 `body_too_large`',
  },
  {
    what: 'The body of a batch as NDJSON or CSV',
    file: 'src/service/http/batches/batch-bodies.ts',
    name: 'bodyLimitBytes',
    beyond: '413 `body_too_large`',
  },
  {
    what: 'A line of a batch or an invoice, which has the fields and items of a request',
    file: 'src/service/sheets/sheet-line.ts',
    name: 'lineBytesMax',
    beyond: '422 `validation_failed`, or an error of the line',
  },
  {
    what: 'Lines of a batch as JSON',
    file: 'src/service/http/batches/batch-schema.ts',
    name: 'jsonLinesMax',
    beyond: '422 `validation_failed`',
  },
  {
    what: 'Lines of a batch as NDJSON or CSV',
    file: 'src/service/sheets/batch-columns.ts',
    name: 'batchLinesMax',
    beyond: '422 `validation_failed`',
  },
  {
    what: 'Lines of batches that wait, of an organization in one mode',
    file: 'src/service/http/batches/create-batch.ts',
    name: 'waitingLinesMax',
    beyond: '429 `rate_limited`',
  },
  {
    what: "The body of a courier's invoice as JSON",
    file: 'src/service/http/courier-invoices/create-courier-invoice.ts',
    name: 'jsonLimitBytes',
    beyond: '413 `body_too_large`',
  },
  {
    what: "The body of a courier's invoice as CSV",
    file: 'src/service/http/courier-invoices/create-courier-invoice.ts',
    name: 'bodyLimitBytes',
    beyond: '413 `body_too_large`',
  },
  {
    what: "Lines of a courier's invoice as JSON",
    file: 'src/service/http/courier-invoices/invoice-schema.ts',
    name: 'jsonLinesMax',
    beyond: '422 `validation_failed`',
  },
  {
    what: "Lines of a courier's invoice as CSV",
    file: 'src/service/domain/invoices/invoice-limits.ts',
    name: 'invoiceLinesMax',
    beyond: '422 `validation_failed`',
  },
  {
    what: 'Lines of an invoice in one file of evidence',
    file: 'src/service/http/courier-invoices/choose-lines.ts',
    name: 'linesMax',
    beyond: '422 `evidence_too_large`',
  },
  {
    what: 'Shipments in one file of evidence',
    file: 'src/service/http/courier-invoices/choose-lines.ts',
    name: 'bundlesMax',
    beyond: '422 `evidence_too_large`',
  },
  {
    what: 'The headers of a request',
    file: 'src/service/http/server.ts',
    name: 'headersLimitBytes',
    beyond: '431 `headers_too_large`',
  },
  {
    what: 'The time to send a whole request',
    file: 'src/service/http/server.ts',
    name: 'requestTimeoutMs',
    beyond: '408 `request_timeout`',
  },
  {
    what: 'Characters of an `Idempotency-Key`',
    file: 'src/service/http/rules/idempotency-key.ts',
    name: 'lengthMax',
    beyond: '400 `idempotency_key_invalid`',
  },
  {
    what: 'Items of a page (`limit`)',
    file: 'src/service/http/openapi/schemas.ts',
    name: 'pageMax',
    beyond: '400 `invalid_filter`',
  },
  {
    what: 'Characters of an `external_reference` of a workspace',
    file: 'src/service/http/workspaces/workspace-schema.ts',
    name: 'referenceLengthMax',
    beyond: '422 `validation_failed`',
  },
  {
    what: 'Requests for the scans of one guide of an operation: one in',
    file: 'src/service/processes/tracking/guide-scans.ts',
    name: 'guideScanTimes.apartMs',
    beyond: '429 `rate_limited`',
  },
  {
    what: "Recipients' pages that one network opens in a minute",
    file: 'src/service/http/recipient-page/recipient-page-routes.ts',
    name: 'perNetworkMax',
    beyond: 'a page with 429 and `Retry-After`',
  },
  {
    what: "Recipients' pages that all networks open in a minute",
    file: 'src/service/http/recipient-page/recipient-page-routes.ts',
    name: 'everyNetworkMax',
    beyond: 'a page with 429 and `Retry-After`',
  },
  {
    what: 'Event types of a webhook endpoint',
    file: 'src/service/http/webhook-endpoints/webhook-endpoint-schema.ts',
    name: 'eventTypesMax',
    beyond: '422 `validation_failed`',
  },
  {
    what: 'The body of a webhook',
    file: 'src/service/domain/webhooks/webhook-event.ts',
    name: 'webhookBodyBytesMax',
    beyond: 'older looks and scans are left out',
  },
  {
    what: 'The time that a receiver has to answer a webhook',
    file: 'src/service/webhooks/send.ts',
    name: 'sendTimes.totalMs',
    beyond: 'the attempt failed, and is made again',
  },
  {
    what: 'Waits between attempts of a webhook',
    file: 'src/service/domain/webhooks/webhook-delivery.ts',
    name: 'ladderMs',
    beyond: 'the delivery is dead, and can be sent again',
  },
  {
    what: 'Time without a success until an endpoint is disabled',
    file: 'src/service/domain/webhooks/webhook-delivery.ts',
    name: 'disabledAfterMs',
    beyond: 'what comes is discarded, and can be recovered',
  },
]

/** The text of docs/api-limits.md. Throws if a limit is no longer in the code. */
export function apiLimitsPage(): string {
  const found = ownLimits()
  const rows = shown.map(({ what, file, name, beyond }) => {
    const limit = found.find((each) => each.file === file && each.name === name)
    if (limit === undefined) throw new Error(`${file} has no ${name}`)
    return `| ${what} | ${limit.value} | ${beyond} |`
  })
  return `# API limits

| What | At most | Beyond it |
|---|---|---|
${rows.join('\n')}

The plan of an organization limits the requests of each of its keys per minute. Each response then tells in
\`RateLimit-Policy\` and \`RateLimit\` (draft-ietf-httpapi-ratelimit-headers-10) how many requests are allowed and left in
this minute; \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` say the same for older clients. Beyond
them a request is answered 429 \`rate_limited\` with \`Retry-After\`, and nothing of it is executed. The plan also limits
the organization's shipments per month; beyond them a creation is answered 429 \`quota_exceeded\`. \`GET /v1/usage\` tells
how much of the plan is used.

The limits of single fields are in the API reference.
`
}
