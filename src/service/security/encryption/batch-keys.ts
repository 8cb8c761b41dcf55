import type { MasterKeys } from './master-keys.ts'
import { type OwnKeySealer, ownKeySealer, type PartSealer } from './own-key.ts'

type BatchPlace = { readonly organizationId: string; readonly batchId: string }
type LinePart = { readonly line: number; readonly what: 'body' | 'refusal' }

/** Seals what a batch keeps of its lines, under the batch's own data key. */
export type LineSealer = PartSealer<LinePart>
export type BatchSealer = OwnKeySealer<BatchPlace, LinePart>

export function batchSealer(keys: MasterKeys): BatchSealer {
  return ownKeySealer(keys, {
    resource: ({ organizationId, batchId }) => ['batch v1', organizationId, batchId],
    part: ({ line, what }) => [String(line), what],
  })
}
