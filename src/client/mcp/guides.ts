import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { Client } from '../create-client.ts'
import { errorTexts } from '../generated/error-texts.ts'
import { labelUri } from './run-tool.ts'

/** The guides for customers that a model may need, by their file in docs/guides. */
export const guides = {
  'quick-start': 'Quick start: the first shipment, and a response that is lost',
  'what-to-do-with-a-409': 'What to do with a 409: unknown outcomes and operations',
  idempotency: 'Idempotency: one key, one guide',
  tracking: 'Tracking: statuses, exceptions and scans',
  bulk: 'Shipping in bulk: batches from a file',
  'courier-invoices': "Checking couriers' invoices",
  webhooks: 'Webhooks: receiving and verifying them',
  'personal-data': 'Personal data: what is kept, and erasing it',
  'rate-limits-and-retries': 'Rate limits and retries',
} as const

const scheme = 'shipping-ledger://'
/** In the package they are beside this file; in the repository, in docs. */
const guideFolders = ['./guides/', '../../../docs/guides/']

export function listResources() {
  const pages = Object.entries(guides).map(([name, title]) => ({
    uri: `${scheme}guides/${name}`,
    name,
    title,
    mimeType: 'text/markdown',
  }))
  const reasons = {
    uri: `${scheme}reasons`,
    name: 'reasons',
    title: 'Every reason of an error, and what to do about it',
    mimeType: 'text/markdown',
  }
  return [...pages, reasons]
}

export const resourceTemplates = [
  {
    uriTemplate: `${scheme}reasons/{reason}`,
    name: 'reason',
    title: 'The reason of an error, and what to do about it',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: labelUri('{shipment_id}'),
    name: 'label',
    title: 'The label of a shipment',
    mimeType: 'application/pdf',
  },
]

type Content = { uri: string; mimeType: string } & ({ text: string } | { blob: string })

/** Throws McpError if there is no such resource; a label's errors are the API's. */
export async function readResource(
  client: Client,
  uri: string,
  signal: AbortSignal,
): Promise<Content> {
  const [, kind = '', name] = /^shipping-ledger:\/\/(\w+)(?:\/([\w-]+)(?:\.pdf)?)?$/.exec(uri) ?? []
  if (kind === 'guides' && name !== undefined && Object.hasOwn(guides, name)) {
    return { uri, mimeType: 'text/markdown', text: await guideText(name) }
  }
  if (kind === 'reasons' && (name === undefined || Object.hasOwn(errorTexts, name))) {
    return { uri, mimeType: 'text/markdown', text: reasonsText(name) }
  }
  if (kind === 'labels' && name !== undefined && uri === labelUri(name)) {
    const label = await client.documents.getLabel({ id: name, format: 'pdf' }, { signal })
    return { uri, mimeType: 'application/pdf', blob: Buffer.from(label).toString('base64') }
  }
  throw new McpError(ErrorCode.InvalidParams, 'There is no such resource.')
}

async function guideText(name: string): Promise<string> {
  for (const folder of guideFolders) {
    const path = fileURLToPath(new URL(`${folder}${name}.md`, import.meta.url))
    const text = await readFile(path, 'utf8').catch(() => null)
    if (text !== null) return text
  }
  throw new McpError(ErrorCode.InternalError, 'The guides are not part of this installation.')
}

function reasonsText(only: string | undefined): string {
  const chosen = Object.entries(errorTexts).filter(
    ([reason]) => only === undefined || reason === only,
  )
  return chosen
    .map(
      ([reason, { title, remedy, retryable, outcome, action }]) =>
        `## ${reason}\n\n${title}. ${remedy}\n\nAction: ${action}. Outcome of a change: ${outcome}. Retryable: ${retryable}.\n`,
    )
    .join('\n')
}
