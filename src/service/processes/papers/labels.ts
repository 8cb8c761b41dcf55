import type { Shipment } from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import type { Vault } from '../../security/vault/vault.ts'
import type { UnreadableLabels, UnreadableWhy } from '../labels/unreadable-labels.ts'
import type { LabelLayout, LabelRead, LeftOut } from './paper-messages.ts'
import { PaperProcessEnded } from './paper-process.ts'
import type { AskPrinter, PrintQueue } from './print-queue.ts'
import { type Named, readShipments } from './read-shipments.ts'
import { whyNoGuide, withoutLabel } from './why-left-out.ts'

export type LabelsDeps = {
  readonly store: EventStore
  readonly vault: Pick<Vault, 'openItems'>
  readonly unreadableLabels: Pick<UnreadableLabels, 'among' | 'note'>
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
 * on pages at the front, and so are labels that cannot be printed: one that stops the process that
 * prints is remembered, and not tried again. The courier is not asked for anything. Throws Problem:
 * `papers_too_large`, `overloaded`, `not_found`.
 */
export async function labelsOf(deps: LabelsDeps, order: LabelsOrder): Promise<Buffer> {
  const read = await readShipments(deps.store, order, ({ shipmentId, state }) =>
    labelOf(shipmentId, state),
  )
  const unreadable = await deps.unreadableLabels.among(read.map(({ shipmentId }) => shipmentId))
  const labels = read.map((label) =>
    label.ref !== null && unreadable.get(label.shipmentId) === label.ref
      ? without(label, withoutLabel.unprintable)
      : label,
  )
  const sizeBytes = labels.reduce((sum, label) => sum + label.sizeBytes, 0)
  if (sizeBytes > labelsBytesMax) throw tooLarge()
  const { organizationId } = order.reach
  return await deps.queue.run(organizationId, async (ask) => {
    const left = [...labels]
    for (;;) {
      const ended = await printed(deps, order, left, ask)
      if (Buffer.isBuffer(ended)) return ended
      left[ended.at] = without(left[ended.at] as Label, withoutLabel.unprintable)
    }
  })
}

function without(label: Label, why: string): Label {
  return { ...label, ref: null, sizeBytes: 0, why }
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

/** The file, or which of the labels the process that prints ended with: it is then remembered. */
async function printed(
  deps: Pick<LabelsDeps, 'unreadableLabels' | 'vault'>,
  { layout, reach, withoutShipment = [] }: LabelsOrder,
  labels: readonly Label[],
  ask: AskPrinter,
): Promise<Buffer | { readonly at: number }> {
  const whyNot = new Map<Label, string>()
  const note = async ({ shipmentId, ref: labelRef }: Label, why: UnreadableWhy) => {
    const { organizationId } = reach
    await deps.unreadableLabels.note({ shipmentId, organizationId, labelRef, why })
  }
  await ask({ do: 'begin_labels', layout })
  for (const group of groupsOf(labels)) {
    const opened = await deps.vault.openItems(group.flatMap(({ ref }) => ref ?? []))
    for (const label of group) {
      const pdf = opened.get(label.ref ?? '')
      // Erased since it was read, if it is not there.
      if (!Buffer.isBuffer(pdf)) {
        whyNot.set(label, label.why ?? withoutLabel.erased)
        continue
      }
      const read = await readBy(ask, pdf)
      if (read === 'ended_printer') {
        await note(label, read)
        return { at: labels.indexOf(label) }
      }
      if (read === 'too_complex') await note(label, read)
      const { unprintable, unreadable } = withoutLabel
      if (read !== 'added') whyNot.set(label, read === 'unreadable' ? unreadable : unprintable)
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

async function readBy(ask: AskPrinter, pdf: Buffer): Promise<LabelRead | 'ended_printer'> {
  try {
    const { answer } = await ask({ do: 'add_label', pdf })
    if (answer.kind === 'too_large') throw tooLarge()
    if (answer.kind !== 'read') throw new Error(`bug: a label was answered with ${answer.kind}`)
    return answer.read
  } catch (error) {
    if (error instanceof PaperProcessEnded) return 'ended_printer'
    throw error
  }
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
