import type { FastifyRequest } from 'fastify'
import { forEachInSlices, nextTurn } from '../../couriers/slices.ts'
import type { Json } from '../../domain/decider.ts'
import { shipmentIdOf } from '../../domain/ids.ts'
import { orderKeyOf, plainReference } from '../../domain/shipment/order-key.ts'
import { isSpreadsheetError, spreadsheetErrorText } from '../../domain/spreadsheet-error.ts'
import type { FieldError } from '../../error-kinds.ts'
import { Problem } from '../../errors.ts'
import type { NewLine } from '../../processes/batches/batch-rows.ts'
import { orderHasGuide, sealRefusal } from '../../processes/batches/refusals.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { LineSealer } from '../../security/encryption/batch-keys.ts'
import { authenticated } from '../rules/authenticate.ts'
import { scenarioOf } from '../rules/sandbox-scenario.ts'
import { fieldErrors, pointer } from '../rules/validation.ts'
import { type BatchLine, batchLine } from './batch-schema.ts'
import type { NameLines } from './line-names.ts'
import type { RawLine } from './lines/raw-line.ts'

/** Other requests have their turn at least this often while lines are read. */
const turnMs = 4

/** What a batch says for all its lines. */
type ForAll = {
  readonly external_reference: string
  readonly workspace_id?: string | undefined
  readonly courier_connection_id?: string | undefined
}

/** A line as it was read, or with what is wrong with it. */
type ReadLine = { readonly line: number } & (
  | {
      /** Null: it is derived. */
      readonly key: string | null
      readonly body: Omit<BatchLine, 'idempotency_key'>
      readonly scenario: string | null
    }
  | { readonly problem: Problem }
)

type ReadBatch = {
  /** The workspace of every line. */
  readonly workspaceId: string
  readonly lines: readonly ReadLine[]
}

/** The lines of a JSON body. */
export function* linesOfJson(items: readonly unknown[]): Generator<RawLine> {
  for (const [at, item] of items.entries()) {
    const isObject = typeof item === 'object' && item !== null && !Array.isArray(item)
    const fields = isObject ? (item as Readonly<Record<string, unknown>>) : null
    const errors = isObject
      ? []
      : [{ pointer: '', reason: 'invalid_type', detail: 'Expected object.' }]
    yield { line: at + 1, fields, errors }
  }
}

/**
 * Reads each line by itself, as a single creation would read its body. Throws a Problem for what
 * concerns the whole batch: no line, or lines that name no workspace.
 */
export async function readBatch(
  request: FastifyRequest,
  forAll: ForAll,
  raw: Iterable<RawLine> | AsyncIterable<RawLine>,
  namesOf: (workspaceId: string) => NameLines,
): Promise<ReadBatch> {
  const { principal } = authenticated(request)
  let nameLine: NameLines | null = null
  let workspaceId = forAll.workspace_id ?? null
  const lines: ReadLine[] = []
  const lineOfKey = new Map<string, number>()
  let since = performance.now()
  for await (const each of raw) {
    workspaceId ??= workspaceOf(each)
    if (workspaceId !== null) nameLine ??= namesOf(workspaceId)
    const ofLine = each.fields?.courier_connection_id ?? forAll.courier_connection_id
    const named = (await nameLine?.(each, ofLine)) ?? each
    const read = readLine(request, principal, { ...forAll, workspace_id: workspaceId }, named)
    lines.push('body' in read ? onlyOnce(lineOfKey, read) : read)
    if (performance.now() - since < turnMs) continue
    await nextTurn()
    since = performance.now()
  }
  if (lines.length === 0) throw refused('', 'too_small', 'A batch has at least one line.')
  if (workspaceId === null) {
    throw refused('/workspace_id', 'required', 'Neither the batch nor its first line names one.')
  }
  return { workspaceId, lines }
}

function refused(pointer: string, reason: string, detail: string): Problem {
  return new Problem('validation_failed', { errors: [{ pointer, reason, detail }] })
}

function workspaceOf({ fields }: RawLine): string | null {
  const named = fields?.workspace_id
  return typeof named === 'string' ? named : null
}

function readLine(
  request: FastifyRequest,
  { livemode }: Principal,
  forAll: Omit<ForAll, 'workspace_id'> & { readonly workspace_id: string | null },
  { line, fields, errors }: RawLine,
): ReadLine {
  if (fields === null || errors.length > 0) return { line, problem: invalid(errors) }
  const whole = {
    ...(forAll.workspace_id === null ? {} : { workspace_id: forAll.workspace_id }),
    ...(forAll.courier_connection_id === undefined
      ? {}
      : { courier_connection_id: forAll.courier_connection_id }),
    ...fields,
  }
  const parsed = batchLine.safeParse(whole)
  if (!parsed.success) {
    return { line, problem: invalid(fieldErrors(parsed.error.issues, '', whole)) }
  }
  const destroyed = spreadsheetErrors(parsed.data, [])
  if (destroyed.length > 0) return { line, problem: invalid(destroyed) }
  const { idempotency_key: key, ...body } = parsed.data
  if (body.workspace_id !== forAll.workspace_id) {
    const detail = 'Every line of a batch is of its workspace.'
    return { line, problem: refused('/workspace_id', 'other_workspace', detail) }
  }
  try {
    const scenario = scenarioOf(request, livemode, body.metadata)
    return { line, key: key ?? null, body, scenario }
  } catch (problem) {
    if (problem instanceof Problem) return { line, problem }
    throw problem
  }
}

function invalid(errors: readonly FieldError[]): Problem {
  return new Problem('validation_failed', { errors })
}

/** JSON may have been made from a sheet too. */
function spreadsheetErrors(value: unknown, path: readonly string[]): readonly FieldError[] {
  if (typeof value === 'string' && isSpreadsheetError(value)) {
    return [{ pointer: pointer(path), reason: 'spreadsheet_error', detail: spreadsheetErrorText }]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => spreadsheetErrors(each, [...path, name]))
}

type SoundLine = Extract<ReadLine, { readonly body: unknown }>

/** A second line with a key would find the shipment of the first: most likely it was pasted twice. */
function onlyOnce(lineOfKey: Map<string, number>, read: SoundLine): ReadLine {
  const key = read.key ?? `order ${plainReference(read.body.external_reference)}`
  const first = lineOfKey.get(key)
  if (first === undefined) {
    lineOfKey.set(key, read.line)
    return read
  }
  const same = read.key === null ? 'ships the same order' : 'has the same key'
  const detail = `Line ${first} ${same}. For another parcel of the same order, give this line an idempotency_key of its own, and leave line ${first} as it is.`
  return { line: read.line, problem: refused('/idempotency_key', 'duplicate_key', detail) }
}

/** The orders whose keys are derived. */
export function ordersWithoutKey({ lines }: ReadBatch): readonly string[] {
  return lines.flatMap((read) =>
    'body' in read && read.key === null ? [read.body.external_reference] : [],
  )
}

/** The keys that lines give for other parcels of these orders. */
export function keysOfParcels({ lines }: ReadBatch, orders: readonly string[]): readonly string[] {
  const wanted = new Set(orders.map(plainReference))
  return lines.flatMap((read) =>
    'body' in read && read.key !== null && wanted.has(plainReference(read.body.external_reference))
      ? [read.key]
      : [],
  )
}

/** What the service knows of a batch's lines. */
type Known = {
  /** Those of the workspace. */
  readonly connections: Pick<ReadonlySet<string>, 'has'>
  /** By order, where the line gives no key. */
  readonly keys: ReadonlyMap<string, string>
  /** By order, why it cannot take its key: a sentence. */
  readonly occupied: ReadonlyMap<string, string>
}

/** The lines as they are stored; those that name no connection of the workspace are refused. */
export async function storedLines(
  { workspaceId, lines }: ReadBatch,
  principal: Principal,
  sealer: LineSealer,
  known: Known,
): Promise<readonly NewLine[]> {
  const { organizationId, livemode } = principal
  const stored = (read: ReadLine): NewLine => {
    const { line } = read
    const none = {
      line,
      connectionId: null,
      idempotencyKey: null,
      shipmentId: null,
      orderKey: null,
      scenario: null,
    }
    const refuse = (problem: Problem) => ({
      body: null,
      refused: sealRefusal(sealer, line, problem),
    })
    if ('problem' in read) return { ...none, ...refuse(read.problem) }
    const { body, scenario } = read
    const idempotencyKey = read.key ?? (known.keys.get(body.external_reference) as string)
    if (!known.connections.has(body.courier_connection_id)) {
      return { ...none, idempotencyKey, ...refuse(new Problem('not_found')) }
    }
    const { external_reference: reference } = body
    const found = read.key === null ? known.occupied.get(reference) : undefined
    if (found !== undefined) return { ...none, ...refuse(orderHasGuide(found)) }
    return {
      line,
      connectionId: body.courier_connection_id,
      idempotencyKey,
      shipmentId: shipmentIdOf({ organizationId, workspaceId, livemode, idempotencyKey }),
      orderKey: orderKeyOf({ workspaceId, livemode, reference }),
      scenario,
      body: sealer.seal({ line, what: 'body' }, body as unknown as Json),
      refused: null,
    }
  }
  const all: NewLine[] = []
  await forEachInSlices(lines, (read) => all.push(stored(read)), nextTurn)
  return all
}
