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

/**
 * What is kept of a line until all are stored. Sealed at once: ten thousand parsed lines are a heap that
 * the garbage collector stops the process for.
 */
type KeptLine = { readonly line: number } & (
  | {
      /** Null: it is derived. */
      readonly key: string | null
      readonly reference: string
      readonly connectionId: string
      readonly scenario: string | null
      readonly body: Buffer
    }
  | { readonly refused: NonNullable<NewLine['refused']> }
)

type ReadBatch = {
  /** The workspace of every line. */
  readonly workspaceId: string
  readonly lines: readonly KeptLine[]
}

type Tools = {
  readonly namesOf: (workspaceId: string) => NameLines
  /** The batch's. */
  readonly sealer: LineSealer
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
 * Reads each line by itself, as a single creation would read its body, and seals it. Throws a
 * Problem for what concerns the whole batch: no line, or lines that name no workspace.
 */
export async function readBatch(
  request: FastifyRequest,
  forAll: ForAll,
  raw: Iterable<RawLine> | AsyncIterable<RawLine>,
  { namesOf, sealer }: Tools,
): Promise<ReadBatch> {
  const { principal } = authenticated(request)
  let nameLine: NameLines | null = null
  let workspaceId = forAll.workspace_id ?? null
  const lines: KeptLine[] = []
  const lineOfKey = new Map<string, number>()
  let since = performance.now()
  for await (const each of raw) {
    workspaceId ??= workspaceOf(each)
    if (workspaceId !== null) nameLine ??= namesOf(workspaceId)
    const ofLine = each.fields?.courier_connection_id ?? forAll.courier_connection_id
    const named = (await nameLine?.(each, ofLine)) ?? each
    const read = readLine(request, principal, { ...forAll, workspace_id: workspaceId }, named)
    lines.push(keep(sealer, 'body' in read ? onlyOnce(lineOfKey, read) : read))
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

function keep(sealer: LineSealer, read: ReadLine): KeptLine {
  const { line } = read
  if ('problem' in read) return { line, refused: sealRefusal(sealer, line, read.problem) }
  const { key, body, scenario } = read
  return {
    line,
    key,
    reference: body.external_reference,
    connectionId: body.courier_connection_id,
    scenario,
    body: sealer.seal({ line, what: 'body' }, body as unknown as Json),
  }
}

/** The orders whose keys are derived. */
export function ordersWithoutKey({ lines }: ReadBatch): readonly string[] {
  return lines.flatMap((kept) => ('body' in kept && kept.key === null ? [kept.reference] : []))
}

/** The keys that lines give for other parcels of the orders whose keys are derived. */
export async function keysOfParcels({ lines }: ReadBatch): Promise<readonly string[]> {
  const derived = new Set<string>()
  const given: { readonly key: string; readonly order: string }[] = []
  const sort = (kept: KeptLine) => {
    if (!('body' in kept)) return
    const order = plainReference(kept.reference)
    if (kept.key === null) derived.add(order)
    else given.push({ key: kept.key, order })
  }
  await forEachInSlices(lines, sort, nextTurn)
  return given.filter(({ order }) => derived.has(order)).map(({ key }) => key)
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
  const stored = (kept: KeptLine): NewLine => {
    const { line } = kept
    const none = {
      line,
      connectionId: null,
      idempotencyKey: null,
      shipmentId: null,
      orderKey: null,
      scenario: null,
      body: null,
    }
    if ('refused' in kept) return { ...none, refused: kept.refused }
    const { reference, connectionId, scenario, body } = kept
    const idempotencyKey = kept.key ?? (known.keys.get(reference) as string)
    const refuse = (problem: Problem) => ({ refused: sealRefusal(sealer, line, problem) })
    if (!known.connections.has(connectionId)) {
      return { ...none, idempotencyKey, ...refuse(new Problem('not_found')) }
    }
    const found = kept.key === null ? known.occupied.get(reference) : undefined
    if (found !== undefined) return { ...none, ...refuse(orderHasGuide(found)) }
    return {
      line,
      connectionId,
      idempotencyKey,
      shipmentId: shipmentIdOf({ organizationId, workspaceId, livemode, idempotencyKey }),
      orderKey: orderKeyOf({ workspaceId, livemode, reference }),
      scenario,
      body,
      refused: null,
    }
  }
  const all: NewLine[] = []
  await forEachInSlices(lines, (kept) => all.push(stored(kept)), nextTurn)
  return all
}
