import { rfc3339 } from '../domain/decider.ts'
import { isId, shipmentStream } from '../domain/ids.ts'
import { evolve, initialState, type State, statusOf } from '../domain/shipment.ts'
import { decodeEvent, leafHolds, ledgerEventObject } from '../event-store/codec.ts'
import { type Command, CommandFailed, columns, UsageError } from './command.ts'

/** Events of one stream that are read; a shipment has far fewer. */
const eventsMax = 10_000

export const replay: Command = {
  name: 'replay',
  summary: "Folds a shipment's events one after the other and shows what each made of it.",
  subject: 'shipment id',
  flags: { 'as-of': { value: 'VERSION|TIME', description: 'Stop after this version or time.' } },
  examples: ['replay shp_4Zb1cD2eF3gH4iJ5kL6mN7', 'replay shp_4Zb1cD2eF3gH4iJ5kL6mN7 --as-of 3'],
  run: async ({ subject, flags, open }) => {
    if (!isId('shp', subject)) throw new UsageError('A shipment is named by its id (shp_…).')
    const isWithin = limitOf(flags.get('as-of'))
    const { store } = await open()
    const stored = await store.readStream(shipmentStream(subject), { limit: eventsMax })
    if (stored.length === 0) throw new CommandFailed(`There is no shipment ${subject}.`)
    if (versionOf(flags.get('as-of')) > stored.length) {
      throw new CommandFailed(`The shipment has ${stored.length} versions.`)
    }
    let state: State = initialState
    const steps = []
    for (const event of stored) {
      const decoded = decodeEvent(event)
      if (!isWithin(decoded.version, decoded.recordedAt)) break
      state = evolve(state, decoded)
      const status = state === null || state.attempts.length === 0 ? 'creating' : statusOf(state)
      const leafIsRight = leafHolds(event)
      steps.push({ ...ledgerEventObject(event), status, leaf_is_right: leafIsRight })
    }
    if (steps.length === 0) throw new CommandFailed('There was no event of it yet.')

    const rows = steps.map((step) => [
      String(step.revision + 1),
      step.recorded_at,
      step.type,
      step.status,
      step.leaf_is_right ? 'right' : 'WRONG',
    ])
    const folded = JSON.parse(JSON.stringify(state))
    return {
      json: { shipment_id: subject, events: JSON.parse(JSON.stringify(steps)), state: folded },
      text: columns([['VERSION', 'RECORDED', 'EVENT', 'SHIPMENT', 'LEAF'], ...rows]),
      failed: steps.some((step) => !step.leaf_is_right),
    }
  },
}

/** 0 when it is none. */
function versionOf(asOf: string | undefined): number {
  return asOf !== undefined && /^[1-9]\d{0,6}$/.test(asOf) ? Number(asOf) : 0
}

function limitOf(asOf: string | undefined): (version: number, recordedAt: number) => boolean {
  if (asOf === undefined) return () => true
  const wanted = versionOf(asOf)
  if (wanted > 0) return (version) => version <= wanted
  const time = Date.parse(asOf)
  if (!/^\d{4}-\d{2}-\d{2}/.test(asOf) || Number.isNaN(time)) {
    throw new UsageError(`--as-of must be a version or a time like ${rfc3339(0)}.`)
  }
  return (_version, recordedAt) => recordedAt <= time
}
