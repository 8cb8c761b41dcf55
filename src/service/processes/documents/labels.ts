import type { QueryExecutorProvider } from 'kysely'
import type { Language } from '../../domain/language.ts'
import { findCurrentAttempt, type Shipment } from '../../domain/shipment/shipment.ts'
import { type TrackingLink, trackingLinkOf } from '../../domain/shipment/tracking-link.ts'
import { Problem } from '../../errors.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import type { TenantScope } from '../../security/tenant-scope.ts'
import type { TrackingLinks } from '../../security/tracking-links/tracking-links.ts'
import type { Vault } from '../../security/vault/vault.ts'
import type { UnreadableLabels, UnreadableWhy } from '../labels/unreadable-labels.ts'
import { documentName, nameOfMany, nameOfShipment } from './document-name.ts'
import { exclusionReason, exclusionTexts } from './exclusion-reason.ts'
import type {
  Caption,
  ExcludedShipment,
  LabelRead,
  LabelStyle,
  LabelToAdd,
} from './print-messages.ts'
import { PrintProcessEnded } from './print-process.ts'
import { type AskPrinter, type PrintedFile, type PrintQueue, printedFile } from './print-queue.ts'
import { type PrintOrder, readShipments } from './read-shipments.ts'
import { workspaceNames } from './workspace-names.ts'

export type LabelsDeps = {
  readonly db: QueryExecutorProvider
  readonly store: EventStore
  readonly vault: Pick<Vault, 'openItems'>
  readonly links: Pick<TrackingLinks, 'urlsFor'>
  readonly unreadableLabels: Pick<UnreadableLabels, 'among' | 'note'>
  readonly queue: Pick<PrintQueue, 'run'>
}

/**
 * `isCaptioned`: each page has the order's reference, the workspace's name and the link to the
 * recipient's page.
 */
export type LabelPrint = LabelStyle & { readonly isCaptioned: boolean }

export type LabelsOrder = Omit<PrintOrder, 'language'> & {
  readonly print: LabelPrint
  /** Whether a label that the courier has not made yet refuses the file. */
  readonly isComplete?: boolean
}

export type LabelOrder = {
  readonly scope: TenantScope
  readonly shipmentId: string
  readonly state: Shipment
  readonly pdf: Buffer
  readonly print: LabelPrint
}

export type PrintedDocument = PrintedFile & {
  /** The name of the file, without extension. */
  readonly name: string
}

/** The whole file is in memory, and our clients accept no larger response. */
const labelsBytesMax = 30 * 1024 * 1024
/** Most labels are fetched within seconds of their guides. */
const completeAgainSeconds = 2
/** Labels decrypted in one turn of the event loop: a few milliseconds. */
const openedAtOnce = { countMax: 20, bytesMax: 1024 * 1024 }

type Label = {
  readonly shipmentId: string
  readonly workspaceId: string
  readonly reference: string
  readonly guideNumber: string | null
  readonly link: TrackingLink | null
  /** The vault reference of the label; null if there is no label. */
  readonly ref: string | null
  readonly sizeBytes: number
  readonly why: string | null
  /** The courier has not made it yet, or it was not fetched yet. */
  readonly isAwaited: boolean
  readonly caption: Caption | null
}

/**
 * The stored labels of these shipments as one file, in the given order. Shipments without a label
 * are listed on pages at the front, and so are labels that cannot be printed: a label that crashes
 * the printing process is remembered and not tried again. The courier is not called. Throws
 * Problem: `papers_too_large`, `label_not_ready`, `overloaded`, `not_found`.
 */
export async function labelsOf(deps: LabelsDeps, order: LabelsOrder): Promise<PrintedDocument> {
  const { language } = order.print
  const { unprintable } = exclusionTexts[language].labels
  const read = await readShipments(deps.store, order, ({ shipmentId, state }) =>
    labelOf(shipmentId, state, language),
  )
  if (order.isComplete === true && read.some(({ isAwaited }) => isAwaited)) {
    throw new Problem('label_not_ready', { retryAfterSeconds: completeAgainSeconds })
  }
  const unreadable = await deps.unreadableLabels.among(read.map(({ shipmentId }) => shipmentId))
  const printable = read.map((label) =>
    label.ref !== null && unreadable.get(label.shipmentId) === label.ref
      ? without(label, unprintable)
      : label,
  )
  const labels = await captioned(deps, order, printable)
  const sizeBytes = labels.reduce((sum, label) => sum + label.sizeBytes, 0)
  if (sizeBytes > labelsBytesMax) throw tooLarge()
  const { organizationId } = order.scope
  const name = nameOfMany(
    { kind: 'labels', language },
    labels.map(({ reference }) => reference),
  )
  return await deps.queue.run(organizationId, async (ask) => {
    const left = [...labels]
    for (;;) {
      const ended = await printed(deps, order, left, ask)
      if ('bytes' in ended) return { ...ended, name }
      left[ended.at] = without(left[ended.at] as Label, unprintable)
    }
  })
}

/**
 * One label in this style. Throws Problem: `label_unreadable`, `papers_too_large`, `overloaded`.
 */
export async function oneLabel(
  deps: Pick<LabelsDeps, 'db' | 'links' | 'unreadableLabels' | 'queue'>,
  { scope, shipmentId, state, pdf, print }: LabelOrder,
): Promise<PrintedDocument> {
  const { language } = print
  const uncaptioned = labelOf(shipmentId, state, language)
  const [label = uncaptioned] = await captioned(deps, { scope, print }, [uncaptioned])
  return await deps.queue.run(scope.organizationId, async (ask) => {
    await ask({ do: 'begin_labels', style: print })
    const read = await readBy(ask, toAdd(label, pdf))
    if (read === 'ended_printer' || read === 'too_complex') {
      // Unlike in a file of many labels, the label of a cancelled shipment is printed.
      const ref = state.label?.ref ?? null
      await noteUnreadable(deps, scope, { shipmentId, ref }, read)
    }
    if (read !== 'added') throw new Problem('label_unreadable')
    return {
      ...(await printedFile(ask, { do: 'end_labels', cover: null })),
      name: nameOfShipment({ kind: 'label', language }, state),
    }
  })
}

function toAdd({ reference, guideNumber, caption }: Label, pdf: Uint8Array): LabelToAdd {
  return { pdf, name: documentName([reference, guideNumber ?? '']), caption }
}

/** These labels with their captions, if the order wants them. */
async function captioned(
  { db, links }: Pick<LabelsDeps, 'db' | 'links'>,
  { scope, print }: Pick<LabelsOrder, 'scope' | 'print'>,
  labels: readonly Label[],
): Promise<readonly Label[]> {
  if (!print.isCaptioned) return labels
  const workspaceIds = labels.map(({ workspaceId }) => workspaceId)
  const shops = await workspaceNames(db, scope.organizationId, workspaceIds)
  const urlOf = await links.urlsFor(workspaceIds)
  return labels.map((label) => {
    const { reference, workspaceId } = label
    const link = urlOf(label.shipmentId, label.link)
    return { ...label, caption: { reference, shop: shops.get(workspaceId) ?? '', link } }
  })
}

function without(label: Label, why: string): Label {
  return { ...label, ref: null, sizeBytes: 0, why }
}

function labelOf(shipmentId: string, state: Shipment, language: Language): Label {
  const { external_reference: reference, workspace_id: workspaceId } = state.request
  const guideNumber = findCurrentAttempt(state)?.guide?.guideNumber ?? null
  const link = trackingLinkOf(state)
  const about = { shipmentId, workspaceId, reference, guideNumber, link, caption: null }
  const why = whyNoLabel(state, language)
  const { label } = state
  if (why !== null || label === null) {
    return {
      ...about,
      ref: null,
      sizeBytes: 0,
      why: why ?? exclusionTexts[language].labels.notFetched,
      isAwaited: why === null,
    }
  }
  return { ...about, ref: label.ref, sizeBytes: label.sizeBytes, why: null, isAwaited: false }
}

function whyNoLabel(state: Shipment, language: Language): string | null {
  const { erased } = exclusionTexts[language].labels
  return exclusionReason(state, language) ?? (state.erasedAt === null ? null : erased)
}

/** The file, or the label at which the printing process crashed, which is then remembered. */
async function printed(
  deps: Pick<LabelsDeps, 'unreadableLabels' | 'vault'>,
  { print, scope, withoutShipment = [] }: LabelsOrder,
  labels: readonly Label[],
  ask: AskPrinter,
): Promise<PrintedFile | { readonly at: number }> {
  const whyNot = new Map<Label, string>()
  const { erased, unprintable, unreadable } = exclusionTexts[print.language].labels
  await ask({ do: 'begin_labels', style: print })
  for (const group of groupsOf(labels)) {
    const opened = await deps.vault.openItems(group.flatMap(({ ref }) => ref ?? []))
    for (const label of group) {
      const pdf = opened.get(label.ref ?? '')
      // A label that is missing was erased after its shipment was read.
      if (!Buffer.isBuffer(pdf)) {
        whyNot.set(label, label.why ?? erased)
        continue
      }
      const read = await readBy(ask, toAdd(label, pdf))
      if (read === 'ended_printer') {
        await noteUnreadable(deps, scope, label, read)
        return { at: labels.indexOf(label) }
      }
      if (read === 'too_complex') await noteUnreadable(deps, scope, label, read)
      if (read !== 'added') whyNot.set(label, read === 'unreadable' ? unreadable : unprintable)
    }
  }
  const unprinted = labels.flatMap((label): ExcludedShipment[] => {
    const why = whyNot.get(label)
    const { shipmentId, reference } = label
    return why === undefined ? [] : [{ shipmentId, reference, why }]
  })
  const excluded = [...unprinted, ...withoutShipment]
  const requested = labels.length + withoutShipment.length
  const cover = excluded.length === 0 ? null : { excluded, requested }
  return await printedFile(ask, { do: 'end_labels', cover })
}

async function noteUnreadable(
  { unreadableLabels }: Pick<LabelsDeps, 'unreadableLabels'>,
  { organizationId }: TenantScope,
  { shipmentId, ref: labelRef }: Pick<Label, 'shipmentId' | 'ref'>,
  why: UnreadableWhy,
): Promise<void> {
  await unreadableLabels.note({ shipmentId, organizationId, labelRef, why })
}

/** Adds a label to the file, and draws its pages if they are images. */
async function readBy(ask: AskPrinter, label: LabelToAdd): Promise<LabelRead | 'ended_printer'> {
  try {
    const { answer } = await ask({ do: 'add_label', ...label })
    if (answer.kind === 'too_large') throw tooLarge()
    if (answer.kind !== 'read') throw new Error(`bug: a label was answered with ${answer.kind}`)
    for (let page = 0; page < answer.pagesToDraw; page++) {
      const { answer: drawn } = await ask({ do: 'draw_page' })
      if (drawn.kind === 'too_large') throw tooLarge()
      if (drawn.kind !== 'drawn') throw new Error(`bug: a page was answered with ${drawn.kind}`)
    }
    return answer.read
  } catch (error) {
    if (error instanceof PrintProcessEnded) return 'ended_printer'
    throw error
  }
}

/** The labels in order, in groups that may be decrypted at once. */
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
