import { type Ask, asksOf } from './isolation-asks.ts'
import type { Reach } from './isolation-worlds.ts'

/**
 * Every position in every route that takes an id: once with an id of another organization, once
 * with one that never existed.
 */
export type Pair = {
  readonly where: string
  readonly foreign: Ask
  readonly never: Ask
}

export function pairsOf(reach: Reach): readonly Pair[] {
  const [victim] = reach.victims
  const pairs = new Map<string, Pair>()
  for (const ask of asksOf(reach)) {
    const { method, operation, position, kind, value, never } = ask
    const isId = kind !== 'cursor' && kind === position.kind && value === victim?.[kind]
    if (!isId || position.in === 'header' || never === null) continue
    // The guide of a decision is looked up at the courier under the caller's own reference.
    if (position.in === 'body' && kind === 'guide') continue
    const where = `${method} ${operation.operationId} ${position.in} ${position.name}`
    if (!pairs.has(where)) pairs.set(where, { where, foreign: ask, never })
  }
  return [...pairs.values()]
}
