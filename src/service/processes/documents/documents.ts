import { carrierManifest, type ManifestDeps } from './carrier-manifest.ts'
import {
  type LabelOrder,
  type LabelsDeps,
  type LabelsOrder,
  labelsOf,
  oneLabel,
  type PrintedDocument,
} from './labels.ts'
import { PrintQueue } from './print-queue.ts'
import type { PrintOrder } from './read-shipments.ts'

export type Documents = {
  /** See `oneLabel`. */
  label(order: LabelOrder): Promise<PrintedDocument>
  /** See `labelsOf`. */
  labels(order: LabelsOrder): Promise<PrintedDocument>
  /** See `carrierManifest`. */
  manifest(order: PrintOrder): Promise<PrintedDocument>
  close(): void
}

/** Prints documents of shipments. One per process, because it owns the queue. */
export function documents(
  deps: Omit<LabelsDeps & ManifestDeps, 'queue'>,
  limits: ConstructorParameters<typeof PrintQueue>[0] = {},
): Documents {
  const queue = new PrintQueue(limits)
  return {
    label: (order) => oneLabel({ ...deps, queue }, order),
    labels: (order) => labelsOf({ ...deps, queue }, order),
    manifest: (order) => carrierManifest({ ...deps, queue }, order),
    close: () => queue.close(),
  }
}
