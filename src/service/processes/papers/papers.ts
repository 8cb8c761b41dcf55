import { type ManifestDeps, manifestOf } from './hand-overs.ts'
import { type LabelsDeps, type LabelsOrder, labelsOf } from './labels.ts'
import { PrintQueue } from './print-queue.ts'
import type { Named } from './read-shipments.ts'

export type Papers = {
  /** See `labelsOf`. */
  labels(order: LabelsOrder): Promise<Buffer>
  /** See `manifestOf`. */
  manifest(order: Named): Promise<Buffer>
  close(): void
}

/** What is printed of many shipments. One for each process, because it has the queue. */
export function papers(
  deps: Omit<LabelsDeps & ManifestDeps, 'queue'>,
  limits: ConstructorParameters<typeof PrintQueue>[0] = {},
): Papers {
  const queue = new PrintQueue(limits)
  return {
    labels: (order) => labelsOf({ ...deps, queue }, order),
    manifest: (order) => manifestOf({ ...deps, queue }, order),
    close: () => queue.close(),
  }
}
