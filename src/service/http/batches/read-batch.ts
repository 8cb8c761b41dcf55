import type { FastifyRequest } from 'fastify'
import { forEachInSlices, yieldToEventLoop } from '../../couriers/slices.ts'
import type { Json } from '../../domain/decider.ts'
import { shipmentIdOf } from '../../domain/ids.ts'
import { orderKeyOf, plainReference } from '../../domain/shipment/order-key.ts'
import { referenceLengthMax } from '../../domain/shipment/shipment-payload.ts'
import { Problem } from '../../errors.ts'
import type { NewLine } from '../../processes/batches/batch-rows.ts'
import { orderHasGuide, sealRefusal } from '../../processes/batches/refusals.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { LineSealer } from '../../security/encryption/own-key.ts'
import type { BatchLine } from '../../sheets/batch-line.ts'
import type { SheetLine } from '../../sheets/read-sheet.ts'
import type { SheetError } from '../../sheets/sheet-line.ts'
import type { SheetContent } from '../../sheets/sheet-thread.ts'
import { authenticated } from '../rules/authenticate.ts'
import { scenarioOf } from '../rules/sandbox-scenario.ts'
import type { NameLines } from './line-names.ts'

/** While lines are read, other requests run at least this often. */
const sliceMs = 4

/** A line that can be created. */
export type SoundLine = {
  readonly line: number
  /** Null if it is derived. */
  readonly key: string | null
  readonly body: Omit<BatchLine, 'idempotency_key'>
  readonly scenario: string | null
}

/** A line as it was read, or the problem with it. */
export type ReadLine = SoundLine | WrongLine
type WrongLine = {
  readonly line: number
  readonly problem: Problem
  /** The errors of the problem, with what helps to correct them. */
  readonly errors?: readonly SheetError[]
}

/**
 * What is held of each line until all are judged. Its body is read again when it is stored, because
 * ten thousand bodies would make the garbage collector stop the process.
 */
export type KeptLine = { readonly line: number } & (
  | {
      readonly key: string | null
      readonly reference: string
      readonly connectionId: string
      readonly scenario: string | null
    }
  | {
      /** Null if it follows from the errors with which the line was read. */
      readonly problem: Problem | null
    }
)

type Judges = {
  readonly nameLine: NameLines
  /** What else may be wrong with a sound line. Null: nothing. */
  readonly check: (line: SoundLine) => Promise<Problem | null>
  /** Sees each line, with the ids of its names. */
  readonly note?: (read: ReadLine, named: SheetLine<BatchLine>) => void
}

/** Judges each line on its own, exactly as a single creation judges its body. */
export async function judgeLines(
  request: FastifyRequest,
  content: SheetContent<BatchLine>,
  { nameLine, check, note }: Judges,
): Promise<readonly KeptLine[]> {
  const { principal } = authenticated(request)
  const lines: KeptLine[] = []
  const lineOfKey = new Map<string, number>()
  let since = performance.now()
  for await (const part of content.parts()) {
    since = performance.now()
    for (const from of part) {
      const named = await nameLine(from)
      const read = onlyOnce(lineOfKey, withScenario(request, principal, named))
      const problem = 'body' in read ? await check(read) : null
      const judged = problem === null ? read : { line: read.line, problem }
      note?.(judged, named)
      lines.push('body' in judged ? factsOf(judged) : keptProblem(judged, from))
      if (performance.now() - since < sliceMs) continue
      await yieldToEventLoop()
      since = performance.now()
    }
  }
  return lines
}

function keptProblem({ line, problem, errors }: WrongLine, from: SheetLine<BatchLine>): KeptLine {
  return { line, problem: errors !== undefined && errors === from.errors ? null : problem }
}

export function refused(pointer: string, reason: string, detail: string): Problem {
  return new Problem('validation_failed', { errors: [{ pointer, reason, detail }] })
}

function withScenario(
  request: FastifyRequest,
  { livemode }: Principal,
  { line, body, errors = [] }: SheetLine<BatchLine>,
): ReadLine {
  if (body === null) return { line, problem: problemOf({ errors }), errors }
  const { idempotency_key: key = null, ...rest } = body
  try {
    return { line, key, body: rest, scenario: scenarioOf(request, livemode, body.metadata) }
  } catch (problem) {
    if (problem instanceof Problem) return { line, problem }
    throw problem
  }
}

function problemOf({ errors = [] }: Pick<SheetLine<BatchLine>, 'errors'>): Problem {
  const plain = errors.map(({ pointer, reason, detail }) => ({ pointer, reason, detail }))
  return new Problem('validation_failed', { errors: plain })
}

/**
 * A second line with the same key would find the shipment of the first. Most likely it was pasted
 * twice.
 */
function onlyOnce(lineOfKey: Map<string, number>, read: ReadLine): ReadLine {
  if ('problem' in read) return read
  const key = read.key ?? `order ${plainReference(read.body.external_reference)}`
  const first = lineOfKey.get(key)
  if (first === undefined) {
    lineOfKey.set(key, read.line)
    return read
  }
  const same = read.key === null ? 'ships the same order' : 'has the same key'
  const detail = `Line ${first} ${same}. For another parcel of the same order, give this line an idempotency key of its own, and leave line ${first} as it is.`
  return { line: read.line, problem: refused('/idempotency_key', 'duplicate_key', detail) }
}

/** What must be known of a line to look up its order. */
function factsOf({ line, key, body, scenario }: SoundLine) {
  const { external_reference: reference, courier_connection_id: connectionId } = body
  return { line, key, reference, connectionId, scenario }
}

/** The orders whose keys are derived. */
export function ordersWithoutKey(lines: readonly KeptLine[]): readonly string[] {
  return lines.flatMap((kept) => ('reference' in kept && kept.key === null ? [kept.reference] : []))
}

/** The keys that lines give for other parcels of the orders whose keys are derived. */
export async function keysOfParcels(lines: readonly KeptLine[]): Promise<readonly string[]> {
  const derived = new Set<string>()
  const given: { readonly key: string; readonly order: string }[] = []
  const sort = (kept: KeptLine) => {
    if (!('reference' in kept)) return
    const order = plainReference(kept.reference)
    if (kept.key === null) derived.add(order)
    else given.push({ key: kept.key, order })
  }
  await forEachInSlices(lines, sort, yieldToEventLoop)
  return given.filter(({ order }) => derived.has(order)).map(({ key }) => key)
}

/** What the service knows about a batch's lines. */
export type Known = {
  /** The connections of the workspace. */
  readonly connections: Pick<ReadonlySet<string>, 'has'>
  /** The derived keys, by order. */
  readonly keys: ReadonlyMap<string, string>
  /** Why an order cannot use its key, as a sentence, by order. */
  readonly occupied: ReadonlyMap<string, string>
}

/** Why a sound line cannot be stored. Null: it can. */
export function refusalOfKnown(kept: KeptLine, { connections, occupied }: Known): Problem | null {
  if (!('reference' in kept)) return null
  if (!connections.has(kept.connectionId)) return new Problem('not_found')
  const found = kept.key === null ? occupied.get(kept.reference) : undefined
  return found === undefined ? null : orderHasGuide(found)
}

type Owner = {
  readonly workspaceId: string
  readonly principal: Principal
  readonly sealer: LineSealer
  readonly nameLine: NameLines
  /** Whether refused lines are `invalid` rather than `failed`. */
  readonly skipsInvalid: boolean
}

/**
 * The judged lines as they are stored, one after the other. Lines that name no connection of the
 * workspace are refused.
 */
export async function* storedLines(
  content: SheetContent<BatchLine>,
  lines: readonly KeptLine[],
  { workspaceId, principal, sealer, nameLine, skipsInvalid }: Owner,
  known: Known,
): AsyncGenerator<NewLine> {
  const { organizationId, livemode } = principal
  let index = 0
  for await (const part of content.parts()) {
    for (const from of part) {
      const kept = lines[index++] as KeptLine
      const { line } = kept
      const problem = 'reference' in kept ? refusalOfKnown(kept, known) : kept.problem
      if (!('reference' in kept) || problem !== null) {
        const hasKey = 'reference' in kept && problem?.reason === 'not_found'
        yield {
          line,
          connectionId: null,
          idempotencyKey: hasKey ? keyOf(kept, known) : null,
          shipmentId: null,
          orderKey: null,
          scenario: null,
          body: null,
          refused: sealRefusal(sealer, line, problem ?? problemOf(from), referenceOf(from)),
          isInvalid: skipsInvalid,
        }
        continue
      }
      const { reference, connectionId, scenario } = kept
      const { idempotency_key: _, ...body } = (await nameLine(from)).body as BatchLine
      const idempotencyKey = keyOf(kept, known)
      yield {
        line,
        connectionId,
        idempotencyKey,
        shipmentId: shipmentIdOf({ organizationId, workspaceId, livemode, idempotencyKey }),
        orderKey: orderKeyOf({ workspaceId, livemode, reference }),
        scenario,
        body: sealer.seal({ line, what: 'body' }, body as unknown as Json),
        refused: null,
      }
    }
  }
}

/** The order of a line that is refused; undefined if it cannot be read. */
function referenceOf({ body, understood }: SheetLine<BatchLine>): string | undefined {
  const { external_reference: reference } = (body ?? understood ?? {}) as Partial<BatchLine>
  return typeof reference === 'string' ? reference.slice(0, referenceLengthMax) : undefined
}

/** The idempotency key of a sound line. */
export function keyOf(
  { key, reference }: Extract<KeptLine, { readonly reference: string }>,
  { keys }: Known,
): string {
  return key ?? (keys.get(reference) as string)
}
