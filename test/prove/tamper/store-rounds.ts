import { randomBytes } from 'node:crypto'
import type { RecordedEvent } from '../../eventstoredb-stand-in/log.ts'
import { eventStoreStandIn } from '../../eventstoredb-stand-in/stand-in.ts'
import { answeredBy } from './acts.ts'
import { evidenceLedger } from './evidence-ledger.ts'
import { control, type Round } from './rounds.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }
type Writable = { -readonly [K in keyof RecordedEvent]: RecordedEvent[K] }

const changedBy = (bytes: Uint8Array, from: string, to: string) =>
  Buffer.from(Buffer.from(bytes).toString().replace(from, to))

/** What an administrator of EventStoreDB could do to a stored event. */
const changes: Readonly<Record<string, (event: Writable) => void>> = {
  data: (event) => {
    event.data = changedBy(event.data, '"amount":', '"amount":1')
  },
  metadata: (event) => {
    event.metadata = changedBy(event.metadata, '"recorded_at":"2', '"recorded_at":"3')
  },
  type: (event) => {
    Object.assign(event, { type: 'GuideRejected' })
  },
  id: (event) => {
    Object.assign(event, { id: crypto.randomUUID() })
  },
}

/** The same where the events are in EventStoreDB: its stand-in keeps them in memory. */
export async function storeRounds(t: Test): Promise<readonly Round[]> {
  const standIn = await eventStoreStandIn(t)
  const eventStoreNamespace = `tamper-${randomBytes(4).toString('hex')}`
  const made = await evidenceLedger(t, { eventStoreUrl: standIn.url, eventStoreNamespace })
  const rounds: Round[] = [await control(made, 'nothing, in EventStoreDB')]
  const { events } = standIn.log
  const stream = `shipment-${made.ids.issued.slice(4)}`
  const found = events.find((one) => one.stream.endsWith(stream) && one.type === 'GuideIssued')
  if (found === undefined) throw new Error('there is no event to change')
  const round = async (what: string) => {
    const { code: exit } = await answeredBy('verify', made)
    const problem = exit === 1 ? null : `verify ended with ${exit}`
    rounds.push({ what: `EventStoreDB: ${what}`, verdicts: [{ command: 'verify', exit }], problem })
  }
  for (const [name, change] of Object.entries(changes)) {
    const before = { ...found }
    change(found as Writable)
    await round(`an event’s ${name} changed`)
    Object.assign(found, before)
  }
  const at = events.indexOf(found)
  events.splice(at, 1)
  await round('an event removed')
  events.splice(at, 0, found)
  const cut = events.splice(at)
  await round('all events from one on removed')
  events.push(...cut)
  rounds.push(await control(made, 'nothing, in EventStoreDB, after everything was restored'))
  return rounds
}
