import type { Readable, Writable } from 'node:stream'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { ShippingLedgerError } from '../shipping-ledger-error.ts'
import { listResources, readResource, resourceTemplates } from './guides.ts'
import { getPrompt, prompts } from './prompts.ts'
import { listTools, runTool, type ToolSettings } from './run-tool.ts'
import { quotationNote } from './shown.ts'
import { ToolRefusal, toolError } from './tool-result.ts'

/** An agent rarely needs more at once, and a mistaken one must not flood the API. */
const runningMax = 4
const waitingMax = 32
/** A message is an order, not a file. */
const messageBytesMax = 1024 * 1024

const instructions = `shipping-ledger books parcels with couriers. One order gets one guide: repeating a call never ships twice.
If an outcome is unknown (needs_attention, or an error with action "follow"), the guide may exist: create nothing and use explain_operation.
An error has an action that says what to do. Amounts are in minor units of the currency.
${quotationNote}`

type Streams = { readonly input: Readable; readonly output: Writable }

/** Serves the tools until the input ends. */
export async function serve(settings: ToolSettings, { input, output }: Streams): Promise<void> {
  const server = new Server(
    { name: 'shipping-ledger', version: '1' },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions },
  )
  const places = limited()
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...listTools(settings)] }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const { name, arguments: args = {} } = params
    return await places(
      () => runTool(settings, { name, args, signal }),
      () => toolError(tooMany()),
    )
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: listResources() }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, { signal }) => ({
    contents: [await readResource(settings.client, params.uri, signal).catch(refused)],
  }))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: prompts.map(({ steps: _, ...prompt }) => prompt),
  }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    getPrompt(params.name, params.arguments ?? {}),
  )
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) input.once(event, resolve)
  })
  const limits = { maxBufferSize: messageBytesMax }
  await server.connect(new StdioServerTransport(input, output, limits))
  await ended
  // Aborts the calls in flight. Whoever repeats them gets their outcome.
  await server.close()
}

function refused(error: unknown): never {
  if (error instanceof McpError) throw error
  const reason = error instanceof ShippingLedgerError ? error.reason : 'internal_error'
  throw new McpError(ErrorCode.InternalError, `The label cannot be read: ${reason}.`)
}

function tooMany(): ToolRefusal {
  return new ToolRefusal('too_many_calls', 'same_key', 'Too many calls are waiting.')
}

/** Runs at most `runningMax` calls at once, and keeps at most `waitingMax` waiting. */
function limited() {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(run: () => Promise<T>, refuse: () => T): Promise<T> => {
    if (running >= runningMax) {
      if (waiting.length >= waitingMax) return refuse()
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
