import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import type { JsonSchemaType } from '@modelcontextprotocol/sdk/validation'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import type { Client } from '../create-client.ts'
import type { ShipmentRequest } from '../ensure-shipped.ts'
import { agentTools } from '../generated/agent-tools.ts'
import { operations } from '../generated/operations.ts'
import { cancelOnce, type Outcome, shipOrder } from './ship-order.ts'
import { leftOut, shown, shownSchema } from './shown.ts'
import { errorSchema, ToolRefusal, textsOf, toolError, toolResult } from './tool-result.ts'
import type { ToolSchemas } from './tool-schemas.ts'
import { type ToolName, type ToolRow, toolTable } from './tool-table.ts'

export type ToolSettings = {
  readonly client: Client
  /** Offers the tools that create and cancel. */
  readonly allowsWrite: boolean
  /** Where labels are written; null: they are only resources. */
  readonly labelsFolder: string | null
  /** How long a creation or cancellation is followed. */
  readonly followMs: number
}

type Args = Readonly<Record<string, unknown>>
type Calling = { readonly name: ToolName; readonly args: Args; readonly signal: AbortSignal }

/** Less than the 60 s after which an MCP client gives up. */
const callMsMax = 50_000
/** Rows of a list if the model does not say: a page is read, not scrolled. */
const rowsDefault = 10

const explainReason = {
  name: 'explain_reason',
  title: 'Explain an error',
  description:
    'Explain the reason of an error or of a failure: what it means, what to do, and whether the same request may be repeated.',
  inputSchema: {
    type: 'object',
    properties: { reason: { type: 'string', pattern: '^[a-z_]{1,64}$' } },
    required: ['reason'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      reason: { type: 'string' },
      title: { type: 'string' },
      action: { type: 'string' },
      what_to_do: { type: 'string' },
      may_repeat: { type: 'boolean' },
      outcome: { type: ['string', 'null'] },
      error: errorSchema,
    },
  },
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
} as const

const rows = Object.entries(toolTable) as readonly (readonly [ToolName, ToolRow])[]

/** The tools that this server offers. */
export function listTools({ allowsWrite }: Pick<ToolSettings, 'allowsWrite'>): readonly Tool[] {
  const offered = rows.filter(([, { isWrite }]) => allowsWrite || isWrite !== true)
  const tools = offered.map(([name, { title, description, hints }]) => ({
    name,
    title,
    description,
    inputSchema: schemasOf(name).input as unknown as Tool['inputSchema'],
    outputSchema: outputSchema(name),
    annotations: { ...hints, openWorldHint: true },
  }))
  return [...tools, explainReason as unknown as Tool]
}

function schemasOf(name: ToolName): ToolSchemas {
  const schemas = agentTools[name]
  if (schemas === undefined) throw new Error(`bug: ${name} has no schemas`)
  return schemas
}

/** Every field may be absent, because an error has only `error`. */
function outputSchema(name: ToolName): Tool['outputSchema'] {
  const { shape, isList, explains } = schemasOf(name)
  const shared = { note: { type: 'string' }, error: errorSchema }
  if (isList) {
    const items = { type: 'array', items: shownSchema(shape) }
    const next = { type: ['string', 'null'] }
    return { type: 'object', properties: { ...shared, items, next_cursor: next } }
  }
  const { properties } = shownSchema(shape) as { readonly properties: Record<string, object> }
  const means = Object.keys(explains).length === 0 ? {} : { means: { type: 'object' } }
  const left = { left_out: { type: 'object', additionalProperties: { type: 'integer' } } }
  const row: ToolRow = toolTable[name]
  if (row.isWrite === true) {
    const result = { type: 'string' }
    const action = { type: ['string', 'null'] }
    const shipment = { type: ['object', 'null'], properties }
    const operation = { type: ['string', 'null'] }
    const more = { result, action, next: { type: 'string' }, shipment, operation_id: operation }
    return { type: 'object', properties: { ...shared, ...more, ...means } }
  }
  const label = name === 'get_label' ? { uri: { type: 'string' }, file: { type: 'string' } } : {}
  return { type: 'object', properties: { ...shared, ...properties, ...means, ...left, ...label } }
}

const validator = new AjvJsonSchemaValidator()

/** Runs a tool. Never throws: an error is a result, which the model reads. */
export async function runTool(
  settings: ToolSettings,
  call: { readonly name: string; readonly args: Args; readonly signal: AbortSignal },
): Promise<CallToolResult> {
  try {
    const tool = listTools(settings).find(({ name }) => name === call.name)
    if (tool === undefined) throw missingTool(call.name)
    const checked = validator.getValidator<Args>(tool.inputSchema as JsonSchemaType)(call.args)
    if (!checked.valid) {
      throw new ToolRefusal(
        'invalid_input',
        'fix',
        `The input is not valid: ${checked.errorMessage}.`,
      )
    }
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(callMsMax)])
    if (call.name === explainReason.name) return reasonResult(String(call.args.reason))
    return await perform(settings, { name: call.name as ToolName, args: call.args, signal })
  } catch (error) {
    return toolError(error)
  }
}

function missingTool(name: string): ToolRefusal {
  const isWrite = rows.some(([other, row]) => other === name && row.isWrite === true)
  if (!isWrite) return new ToolRefusal('unknown_tool', 'fix', 'There is no such tool.')
  const message = 'This server is read-only: it was started without --write.'
  return new ToolRefusal('read_only', 'person', message)
}

function reasonResult(reason: string): CallToolResult {
  const texts = textsOf(reason)
  if (texts === null) {
    throw new ToolRefusal('unknown_reason', 'fix', 'There is no such reason in this version.')
  }
  const { title, remedy, retryable, outcome, action } = texts
  const what = { title, action, what_to_do: remedy }
  return toolResult({ reason, ...what, may_repeat: retryable, outcome })
}

async function perform(settings: ToolSettings, call: Calling): Promise<CallToolResult> {
  const { client, followMs: timeoutMs } = settings
  const { args, signal } = call
  switch (call.name) {
    case 'create_shipment': {
      const { order, attempt = 1, ...fields } = args
      const request = await inWorkspace(client, fields, signal)
      const shipping = {
        order: String(order),
        attempt: Number(attempt),
        request: request as Omit<ShipmentRequest, 'external_reference'>,
      }
      return outcomeResult(
        'create_shipment',
        await shipOrder(client, shipping, { signal, timeoutMs }),
      )
    }
    case 'cancel_shipment': {
      const cancelling = { id: String(args.id), attempt: Number(args.attempt ?? 1) }
      return outcomeResult(
        'cancel_shipment',
        await cancelOnce(client, cancelling, { signal, timeoutMs }),
      )
    }
    case 'quote_shipment':
      return await readResult(client, { ...call, args: await inWorkspace(client, args, signal) })
    case 'get_label':
      return await labelResult(settings, call)
    default:
      return await readResult(client, call)
  }
}

/**
 * Adds the workspace. It is never guessed: a key of an order that depends on the newest workspace
 * would change when another workspace is created.
 */
async function inWorkspace(client: Client, args: Args, signal: AbortSignal): Promise<Args> {
  if (args.workspace_id !== undefined) return args
  const key = await client.keys.get({}, { signal })
  if (key.workspace_id !== null) return { ...args, workspace_id: key.workspace_id }
  const { data } = await client.workspaces.list({ limit: 2 }, { signal })
  const [only, other] = data
  if (only !== undefined && other === undefined) return { ...args, workspace_id: only.id }
  const message = 'workspace_id is missing, and this key has several workspaces or none.'
  throw new ToolRefusal('workspace_missing', 'fix', message)
}

type Method = (input: Args, options: { readonly signal: AbortSignal }) => Promise<Args>

async function called(client: Client, { name, args, signal }: Calling): Promise<Args> {
  const row: ToolRow = toolTable[name]
  const { resource, name: method } = operations[row.operation]
  const methods = client[resource] as unknown as Readonly<Record<string, Method>>
  const given = Object.entries(args).map(([input, value]) => [row.inputs[input] ?? input, value])
  const limit = schemasOf(name).isList ? { limit: rowsDefault } : {}
  const call = methods[method]
  if (call === undefined) throw new Error(`bug: the client has no ${resource}.${method}`)
  return await call({ ...limit, ...Object.fromEntries(given) }, { signal })
}

async function readResult(client: Client, call: Calling): Promise<CallToolResult> {
  const { shape, isList } = schemasOf(call.name)
  const answer = await called(client, call)
  if (isList) {
    const items = (answer.data as readonly unknown[]).map((item) => shown(item, shape))
    return toolResult({ items, next_cursor: answer.next_cursor ?? null })
  }
  const left = leftOut(answer, shape)
  const row: ToolRow = toolTable[call.name]
  const which = row.showsFirst === true ? 'first' : 'newest'
  return toolResult({
    ...(shown(answer, shape, which) as object),
    ...meansOf(call.name, answer),
    ...(Object.keys(left).length === 0 ? {} : { left_out: left }),
  })
}

/** What the values of an answer mean, in the words of the OpenAPI document. */
function meansOf(name: ToolName, answer: unknown): { readonly means?: object } {
  const means: Record<string, string> = {}
  for (const [path, meanings] of Object.entries(schemasOf(name).explains)) {
    let at: unknown = answer
    for (const field of path.split('.')) at = (at as Args | null | undefined)?.[field]
    const meaning = typeof at === 'string' && Object.hasOwn(meanings, at) ? meanings[at] : undefined
    if (meaning !== undefined) means[path] = meaning
  }
  return Object.keys(means).length === 0 ? {} : { means }
}

const nextSteps: Readonly<Record<Outcome['kind'], string>> = {
  created: 'The order is shipped. Use get_label for its label.',
  rejected: 'The courier refused it and created nothing. Tell the user why.',
  nothing_created: 'It is certain that there is no guide. Ask the user whether to try again.',
  cancelled: 'The guide is cancelled.',
  not_cancelled: 'The guide stands. Ask the user whether to try again.',
  needs_attention:
    'The outcome is not certain yet: the guide may exist. Create nothing for this order. Call the tool again with the same input later, or use explain_operation.',
}

function outcomeResult(name: ToolName, outcome: Outcome): CallToolResult {
  const { kind, action, shipment, operation } = outcome
  return toolResult({
    result: kind,
    action,
    next: nextSteps[kind],
    operation_id: operation?.id ?? null,
    shipment: shown(shipment, schemasOf(name).shape),
    ...meansOf(name, shipment),
  })
}

async function labelResult(settings: ToolSettings, call: Calling): Promise<CallToolResult> {
  const { client, labelsFolder } = settings
  const id = String(call.args.id)
  const answer = await called(client, call)
  // Also one that is not made yet: the courier is asked for it again.
  const label = await client.documents.getLabel({ id, format: 'pdf' }, { signal: call.signal })
  const uri = labelUri(id)
  const file = labelsFolder === null ? {} : { file: await written(labelsFolder, id, label) }
  const fields = shown(answer, schemasOf(call.name).shape) as object
  const result = toolResult({ ...fields, uri, ...file })
  const link = {
    type: 'resource_link',
    uri,
    name: `${id}.pdf`,
    mimeType: 'application/pdf',
  } as const
  return { ...result, content: [...result.content, link] }
}

export function labelUri(shipmentId: string): string {
  return `shipping-ledger://labels/${shipmentId}.pdf`
}

async function written(folder: string, id: string, label: Uint8Array): Promise<string> {
  const path = join(folder, `${id}.pdf`)
  // It has the recipient's name and document.
  await writeFile(path, label, { mode: 0o600 })
  return path
}
