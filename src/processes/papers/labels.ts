import type { Shipment } from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import type { Vault } from '../../security/vault/vault.ts'
import type { LabelLayout, LeftOut } from './paper-messages.ts'
import type { AskPrinter, PrintQueue } from './print-queue.ts'
import { type Named, readShipments } from './read-shipments.ts'
import { whyNoGuide, withoutLabel } from './why-left-out.ts'

export type LabelsDeps = {
  readonly store: EventStore
  readonly vault: Pick<Vault, 'openItems'>
  readonly queue: Pick<PrintQueue, 'run'>
}

export type LabelsOrder = Named & { readonly layout: LabelLayout }

/** The whole file is in memory, and our clients accept no larger answer. */
const labelsBytesMax = 30 * 1024 * 1024
/** Opened in one turn of the event loop: a few milliseconds of decrypting. */
const openedAtOnce = { countMax: 20, bytesMax: 1024 * 1024 }

type Label = {
  readonly shipmentId: string
  readonly reference: string
  /** Where it is in the vault; null = there is none. */
  readonly ref: string | null
  readonly sizeBytes: number
  readonly why: string | null
}

/**
 * The stored labels of these shipments as one PDF, in their order. Shipments without a label are named
 * on pages at the front. The courier is not asked for anything. Throws Problem: `papers_too_large`,
 * `overloaded`, `not_found`.
 */
export async function labelsOf(deps: LabelsDeps, order: LabelsOrder): Promise<Buffer> {
  const labels = await readShipments(deps.store, order, ({ shipmentId, state }) =>
    labelOf(shipmentId, state),
  )
  const sizeBytes = labels.reduce((sum, label) => sum + label.sizeBytes, 0)
  if (sizeBytes > labelsBytesMax) throw tooLarge()
  return await deps.queue.run(order.reach.organizationId, (ask) =>
    printed(deps, order, labels, ask),
  )
}

function labelOf(shipmentId: string, state: Shipment): Label {
  const { external_reference: reference } = state.request
  const why = whyNoLabel(state)
  const { label } = state
  if (why !== null || label === null) {
    return { shipmentId, reference, ref: null, sizeBytes: 0, why: why ?? withoutLabel.notFetched }
  }
  return { shipmentId, reference, ref: label.ref, sizeBytes: label.sizeBytes, why: null }
}

function whyNoLabel(state: Shipment): string | null {
  return whyNoGuide(state) ?? (state.erasedAt === null ? null : withoutLabel.erased)
}

async function printed(
  { vault }: Pick<LabelsDeps, 'vault'>,
  { layout, withoutShipment = [] }: LabelsOrder,
  labels: readonly Label[],
  ask: AskPrinter,
): Promise<Buffer> {
  const whyNot = new Map<Label, string>()
  await ask({ do: 'begin_labels', layout })
  for (const group of groupsOf(labels)) {
    const opened = await vault.openItems(group.flatMap(({ ref }) => ref ?? []))
    const found: { readonly label: Label; readonly pdf: Buffer }[] = []
    for (const label of group) {
      const pdf = opened.get(label.ref ?? '')
      // Erased since it was read, if it is not there.
      if (Buffer.isBuffer(pdf)) found.push({ label, pdf })
      else whyNot.set(label, label.why ?? withoutLabel.erased)
    }
    const { answer } = await ask({ do: 'add_labels', pdfs: found.map(({ pdf }) => pdf) })
    if (answer.kind === 'too_large') throw tooLarge()
    if (answer.kind !== 'added') throw new Error(`bug: labels were answered with ${answer.kind}`)
    for (const [index, { label }] of found.entries()) {
      if (answer.areRead[index] !== true) whyNot.set(label, withoutLabel.unreadable)
    }
  }
  const unprinted = labels.flatMap((label): LeftOut[] => {
    const why = whyNot.get(label)
    const { shipmentId, reference } = label
    return why === undefined ? [] : [{ shipmentId, reference, why }]
  })
  const leftOut = [...unprinted, ...withoutShipment]
  const asked = labels.length + withoutShipment.length
  const cover = leftOut.length === 0 ? null : { leftOut, asked }
  const { pdf } = await ask({ do: 'end_labels', cover })
  return pdf
}

/** In their order, as many as may be opened at once. */
function* groupsOf(labels: readonly Label[]): Generator<readonly Label[]> {
  let group: Label[] = []
  let bytes = 0
  for (const label of labels) {
    const isFull =
      group.length >= openedAtOnce.countMax || bytes + label.sizeBytes > openedAtOnce.bytesMax
    if (isFull && group.length > 0) {
      yield group
      group = []
      bytes = 0
    }
    group.push(label)
    bytes += label.sizeBytes
  }
  if (group.length > 0) yield group
}

function tooLarge(): Problem {
  return new Problem('papers_too_large')
}
