import { formatValue } from '../../domain/ledger/changed-fields.ts'
import { ledgerEventObject, metadataOf } from '../../event-store/codec.ts'
import { type ReplayStep, replayedMax, replayShipment, type Until } from '../../ledger/replay.ts'
import { audit } from '../../security/audit.ts'
import { acting, asRecorded, by, formatActor } from '../acting.ts'
import { type Command, CommandFailed, counted, readTime } from '../command.ts'
import { ownerOf } from '../known.ts'

export const replay: Command = {
  name: 'replay',
  summary: "Folds a shipment's events one by one and shows what each one changed.",
  subject: 'shipment id',
  subjectId: 'shp',
  flags: {
    'as-of': { value: 'VERSION|TIME', description: 'Stop after this version or time.' },
    ...asRecorded,
  },
  examples: ['replay shp_4Zb1cD2eF3gH4iJ5kL6mN7', 'replay shp_4Zb1cD2eF3gH4iJ5kL6mN7 --as-of 3'],
  run: async (call) => {
    const { subject, flags, open } = call
    const actorOn = acting(call)
    const asOf = flags.get('as-of')
    const isWithin = limitOf(asOf)
    const { store } = await open()
    const owner = await ownerOf(store, subject)
    const steps: ReplayStep[] = []
    for await (const step of replayShipment(store, subject, isWithin)) steps.push(step)
    if (steps.length === 0) throw new CommandFailed('The shipment had no event yet.')
    if (versionOf(asOf) > steps.length) {
      throw new CommandFailed(`The shipment has ${steps.length} versions.`)
    }
    // Recorded in the owner's audit before anything is shown.
    await audit(store, {
      ...(await by(actorOn, owner.organizationId)),
      ...owner,
      type: 'ShipmentReplayed',
      data: { shipment_id: subject },
    })
    const events = steps.map(({ event, state, leafIsRight }) => ({
      ...ledgerEventObject(event),
      leaf_is_right: leafIsRight,
      state,
    }))
    const changed = steps.filter((step) => !step.leafIsRight).length
    const damage =
      changed === 0
        ? []
        : [`${counted(changed, 'event')} changed after it was recorded: run "verify" for details.`]
    const isCut = steps.length >= replayedMax
    const left = isCut ? [`Only the first ${replayedMax} events are shown.`] : []
    return {
      json: JSON.parse(JSON.stringify({ shipment_id: subject, has_more: isCut, events })),
      text: [...steps.map(textOf), ...left, ...damage].join('\n'),
      exit: changed === 0 ? 'fine' : 'found',
    }
  },
}

/** One line for the event, and one for each value that it changed. */
function textOf({ event, leafIsRight, changes }: ReplayStep): string {
  const { recorded_at: at, actor } = metadataOf(event)
  const who = formatActor(actor)
  const leaf = leafIsRight ? '' : '  CHANGED AFTER IT WAS RECORDED'
  const lines = changes.map(({ path, before, after }) => {
    const now = formatValue(path, after)
    const was = before === undefined || before === null ? '' : `${formatValue(path, before)} → `
    return `    ${path}: ${was}${now}`
  })
  return [`${event.revision + 1}  ${at}  ${event.type}  by ${who}${leaf}`, ...lines].join('\n')
}

/** 0 if it is not a version. */
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
