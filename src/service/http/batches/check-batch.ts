import type { FastifyRequest } from 'fastify'
import { gramsOf } from '../../domain/parcel-weight.ts'
import { errorTable, type Problem } from '../../errors.ts'
import { batchSheet } from '../../sheets/batch-columns.ts'
import type { BatchLine } from '../../sheets/batch-line.ts'
import type { SheetLine } from '../../sheets/read-sheet.ts'
import type { SheetError } from '../../sheets/sheet-line.ts'
import type { SheetContent } from '../../sheets/sheet-thread.ts'
import { SheetCheck } from '../rules/sheets/sheet-check.ts'
import type { NameLines } from './line-names.ts'
import {
  judgeLines,
  type KeptLine,
  type Known,
  keyOf,
  type ReadLine,
  refusalOfKnown,
  type SoundLine,
} from './read-batch.ts'

type Checks = {
  readonly nameLine: NameLines
  readonly check: (line: SoundLine) => Promise<Problem | null>
  /** What is known of the lines, once all are read. */
  readonly knownOf: (lines: readonly KeptLine[]) => Promise<Known>
  /** How many creations with these keys exceed the quota. */
  readonly overQuotaOf: (keys: readonly string[]) => Promise<number>
}

/** Checks all lines as `validate=true` answers. Stores nothing. */
export async function checkBatch(
  request: FastifyRequest,
  content: SheetContent<BatchLine>,
  { nameLine, check, knownOf, overQuotaOf }: Checks,
) {
  const { header } = content.end
  const sheet = new SheetCheck(batchSheet, header)
  const weights = new Map<number, Weight>()
  const note = (read: ReadLine, named: SheetLine<BatchLine>) => {
    if ('problem' in read) {
      const errors = read.errors ?? errorsOf(read.problem)
      sheet.addLine(named, named.body ?? named.understood ?? null, errors)
      return
    }
    sheet.addLine(named, read.body, [])
    weights.set(read.line, weightOf(read))
  }
  const lines = await judgeLines(request, content, { nameLine, check, note })
  const known = await knownOf(lines)
  const keys: string[] = []
  for (const kept of lines) {
    if (!('reference' in kept)) continue
    const problem = refusalOfKnown(kept, known)
    const [error] = problem === null ? [] : errorsOf(problem)
    if (error === undefined) {
      keys.push(keyOf(kept, known))
      continue
    }
    sheet.addLateError(kept.line, error, kept.reference)
    weights.delete(kept.line)
  }
  const result = sheet.result()
  return {
    object: 'batch_check' as const,
    ...result,
    over_quota: result.good === 0 ? 0 : await overQuotaOf(keys),
    totals: sumOf(weights.values()),
  }
}

type Weight = { readonly pieces: number; readonly grams: number }

function weightOf({ body }: SoundLine): Weight {
  return { pieces: body.package.quantity, grams: gramsOf(body.package) }
}

function sumOf(weights: Iterable<Weight>) {
  let pieces = 0
  let grams = 0
  for (const weight of weights) {
    pieces += weight.pieces
    grams += weight.grams
  }
  return { pieces, weight_kg: grams / 1_000 }
}

/** The field that a refusal without errors of fields is about. */
function pointerOf({ reason }: Problem): string {
  if (reason.startsWith('quote_')) return '/quote_id'
  const isConnection =
    reason.startsWith('connection_') || ['not_found', 'courier_not_available'].includes(reason)
  return isConnection ? '/courier_connection_id' : ''
}

function errorsOf(problem: Problem): readonly SheetError[] {
  const { errors, detail } = problem.options
  if (errors !== undefined && errors.length > 0) return errors
  const { reason } = problem
  return [{ pointer: pointerOf(problem), reason, detail: detail ?? errorTable[reason].title }]
}
