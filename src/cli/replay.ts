import { shownValue } from '../domain/changed-fields.ts'
import { isId } from '../domain/ids.ts'
import { ledgerEventObject, metadataOf } from '../event-store/codec.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { type ReplayStep, replayedMax, replayShipment, type Until } from '../ledger/replay.ts'
import { audit } from '../security/audit.ts'
import { byCli } from './administration.ts'
import { ownerOf } from './audit-reads.ts'
import { type Command, CommandFailed, readTime, UsageError } from './command.ts'

export const replay: Command = {
  name: 'replay',
  summary: "Folds a shipment's events one after the other and shows what each made of it.",
  subject: 'shipment id',
  flags: { 'as-of': { value: 'VERSION|TIME', description: 'Stop after this version or time.' } },
  examples: ['replay shp_4Zb1cD2eF3gH4iJ5kL6mN7', 'replay shp_4Zb1cD2eF3gH4iJ5kL6mN7 --as-of 3'],
  run: async ({ subject, flags, open }) => {
    if (!isId('shp', subject)) throw new UsageError('A shipment is named by its id (shp_…).')
    const asOf = flags.get('as-of')
    const isWithin = limitOf(asOf)
    const { store } = await open()
    await auditReplay(store, subject)
    const steps: ReplayStep[] = []
    for await (const step of replayShipment(store, subject, isWithin)) steps.push(step)
    if (steps.length === 0) throw new CommandFailed('There was no event of it yet.')
    if (versionOf(asOf) > steps.length) {
      throw new CommandFailed(`The shipment has ${steps.length} versions.`)
    }
    const events = steps.map(({ event, state, leafIsRight }) => ({
      ...ledgerEventObject(event),
      leaf_is_right: leafIsRight,
      state,
    }))
    const isCut = steps.length >= replayedMax
    const left = isCut ? [`These are the first ${replayedMax} events.`] : []
    return {
      json: JSON.parse(JSON.stringify({ shipment_id: subject, has_more: isCut, events })),
      text: [...steps.map(told), ...left].join('\n'),
      failed: steps.some((step) => !step.leafIsRight),
    }
  },
}

/** Whoever the shipment belongs to finds in the audit that it was read. */
async function auditReplay(store: EventStore, shipmentId: string): Promise<void> {
  await audit(store, {
    ...byCli,
    ...(await ownerOf(store, shipmentId)),
    type: 'ShipmentReplayed',
    data: { shipment_id: shipmentId },
  })
}

/** The event on a line, and a line for each value that it changed. */
function told({ event, leafIsRight, changes }: ReplayStep): string {
  const { recorded_at: at, actor } = metadataOf(event)
  const by = actor.key_id ?? actor.type
  const leaf = leafIsRight ? '' : '  THE LEAF IS NOT ITS OWN'
  const lines = changes.map(({ path, before, after }) => {
    const now = shownValue(path, after)
    const was = before === undefined || before === null ? '' : `${shownValue(path, before)} → `
    return `    ${path}: ${was}${now}`
  })
  return [`${event.revision + 1}  ${at}  ${event.type}  by ${by}${leaf}`, ...lines].join('\n')
}

/** 0 when it is none. */
function versionOf(asOf: string | undefined): number {
  return asOf !== undefined && /^[1-9]\d{0,6}$/.test(asOf) ? Number(asOf) : 0
}

function limitOf(asOf: string | undefined): Until {
  if (asOf === undefined) return () => true
  const wanted = versionOf(asOf)
  if (wanted > 0) return (version) => version <= wanted
  const time = readTime('as-of', asOf, 'a version or a time')
  return (_version, recordedAt) => recordedAt <= time
}
