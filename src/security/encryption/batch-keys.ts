import type { KeyObject } from 'node:crypto'
import type { Json } from '../../domain/decider.ts'
import { newDataKey, seal, unseal, unwrapKey, type WrappedKey, wrapKey } from './encryption.ts'
import type { MasterKeys } from './master-keys.ts'

type BatchPlace = { readonly organizationId: string; readonly batchId: string }

/** Seals what a batch keeps of its lines, under the batch's own data key. */
export type LineSealer = {
  readonly seal: (line: number, what: 'body' | 'refusal', content: Json) => Buffer
  /** Throws SealBroken for what was sealed in another place. */
  readonly open: (line: number, what: 'body' | 'refusal', sealed: Buffer) => Json
}

export type BatchSealer = {
  /** With a new data key, to be stored as it is wrapped. */
  readonly begin: (at: BatchPlace) => LineSealer & { readonly wrapped: WrappedKey }
  /** Throws SealBroken if no available master key opens the data key in this place. */
  readonly open: (at: BatchPlace, wrapped: WrappedKey) => LineSealer
}

function partsOf({ organizationId, batchId }: BatchPlace): readonly string[] {
  return ['batch v1', organizationId, batchId]
}

function lineSealer(dataKey: KeyObject, at: BatchPlace): LineSealer {
  const partsIn = (line: number, what: string) => [...partsOf(at), String(line), what]
  return {
    seal: (line, what, content) =>
      seal(dataKey, Buffer.from(JSON.stringify(content)), partsIn(line, what)),
    open: (line, what, sealed) =>
      JSON.parse(unseal(dataKey, sealed, partsIn(line, what)).toString('utf8')) as Json,
  }
}

export function batchSealer(keys: MasterKeys): BatchSealer {
  return {
    begin(at) {
      const dataKey = newDataKey()
      return { ...lineSealer(dataKey, at), wrapped: wrapKey(keys, dataKey, partsOf(at)) }
    },
    open: (at, wrapped) => lineSealer(unwrapKey(keys, wrapped, partsOf(at)), at),
  }
}

/** The data key under the current master key. */
export function rewrapBatchKey(keys: MasterKeys, at: BatchPlace, wrapped: WrappedKey): WrappedKey {
  const parts = partsOf(at)
  return wrapKey(keys, unwrapKey(keys, wrapped, parts), parts)
}
