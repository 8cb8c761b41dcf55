import { shipmentIdOfStream, shipmentStreamPrefix } from '../../domain/ids.ts'
import type { EventStore, Position } from '../../event-store/event-store.ts'
import { loadShipment } from '../../event-store/transact.ts'
import { newRequestId } from '../../http/rules/request-id.ts'
import { erasePersonalData, erasureRefusal } from '../../processes/erasure/erasure.ts'
import { type ListedShipment, readErasureList } from '../../processes/erasure/erasure-list.ts'
import { readClock } from '../../processes/sandbox/workspace-clock.ts'
import { audit } from '../../security/audit.ts'
import { type ActorOn, asRequired, operatorActing } from '../acting.ts'
import {
  type Call,
  type Command,
  CommandFailed,
  type CommandResult,
  Undecided,
  UsageError,
} from '../command.ts'
import type { CommandServices } from '../open-services.ts'
import { progress } from '../progress.ts'

/** Shipments between two progress lines. */
const reportedEvery = 1_000

export const erase: Command = {
  name: 'erase',
  summary: 'Erases the personal data of a shipment, or repeats the erasures on a list.',
  subject: 'shipment id',
  subjectId: 'shp',
  isSubjectOptional: true,
  flags: {
    from: {
      value: 'FILE',
      description: 'A list of erasures (erasures.ndjson in CHECKPOINT_DIR) to repeat.',
    },
    again: {
      description: 'Repeats every erasure in the ledger, after a restore of the database.',
    },
    'include-notes': {
      description:
        'Also erases the notes of decisions and the comments, which may name the person.',
    },
    ...asRequired,
  },
  examples: [
    'erase shp_4Zb1cD2eF3gH4iJ5kL6mN7 --as opr_4Zb1cD2eF3gH4iJ5kL6mN7',
    'erase --from erasures.ndjson --as opr_4Zb1cD2eF3gH4iJ5kL6mN7',
    'erase --again --json --as opr_4Zb1cD2eF3gH4iJ5kL6mN7',
  ],
  run: async (call) => {
    const { subject, flags, open } = call
    const ways = [subject !== '', flags.has('from'), flags.has('again')].filter(Boolean)
    if (ways.length !== 1) {
      throw new UsageError('Give a shipment, --from or --again.')
    }
    const actorOn = operatorActing(call)
    const { db, erasureRows, store, vault } = await open()
    const includeNotes = flags.has('include-notes')
    const eraseIt: EraseIt = ({ shipmentId, includesNotes }) =>
      eraseShipment({ db, erasureRows, store, vault }, shipmentId, {
        actorOn,
        includeNotes: includeNotes || includesNotes,
      })
    if (subject !== '') return await eraseOne(eraseIt, subject)
    const file = flags.get('from')
    if (file !== undefined) return await eraseAll(call, eraseIt, listed(file, call.pathOf(file)))
    const head = await store.head()
    const reading = progress({ what: 'erase', head, write: call.writeError })
    const read = (position: Position, events: number) => {
      if (call.isWatched) reading(position, events)
    }
    return await eraseAll(call, eraseIt, erasedIn(store, read))
  },
}

type EraseIt = (shipment: ListedShipment) => Promise<EraseAnswer>

async function eraseOne(eraseIt: EraseIt, shipmentId: string): Promise<CommandResult> {
  const answer = await eraseIt({ shipmentId, includesNotes: false })
  const texts: Readonly<Record<EraseAnswer, string>> = {
    erased: `The personal data of ${shipmentId} is erased. The worker will tell the courier.`,
    was_erased: `The personal data of ${shipmentId} was already erased.`,
    open: `${shipmentId} is being created or cancelled. Erase it when that has ended.`,
    held: `${shipmentId} or its workspace has a legal hold. Lift it first: hold lift.`,
    not_found: `There is no shipment ${shipmentId}.`,
  }
  if (answer === 'open' || answer === 'held' || answer === 'not_found')
    throw new CommandFailed(texts[answer])
  return { json: { shipment_id: shipmentId, answer }, text: texts[answer] }
}

async function* listed(file: string, path: string): AsyncGenerator<ListedShipment | null> {
  try {
    yield* readErasureList(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'EISDIR' && code !== 'EACCES') throw error
    throw new Undecided(`${file} cannot be read.`)
  }
}

/**
 * Each erasure is safe to repeat: an interrupted one starts again, and a finished one costs little.
 */
async function eraseAll(
  { writeError, isWatched }: Call,
  eraseIt: EraseIt,
  shipments: AsyncIterable<ListedShipment | null>,
): Promise<CommandResult> {
  const counts = { erased: 0, was_erased: 0, open: 0, held: 0, not_found: 0, unreadable: 0 }
  let done = 0
  for await (const shipment of shipments) {
    counts[shipment === null ? 'unreadable' : await eraseIt(shipment)] += 1
    done += 1
    if (isWatched && done % reportedEvery === 0) writeError(`erase: ${done} done`)
  }
  const text = [
    `${counts.erased} erased, ${counts.was_erased} erased again.`,
    ...(counts.open > 0 ? [`Being created or cancelled: ${counts.open}. Run it again later.`] : []),
    ...(counts.held > 0 ? [`Kept by a legal hold: ${counts.held}.`] : []),
    ...(counts.not_found > 0 ? [`Not in this ledger: ${counts.not_found}.`] : []),
    ...(counts.unreadable > 0 ? [`Lines that cannot be read: ${counts.unreadable}.`] : []),
  ].join('\n')
  return {
    json: counts,
    text,
    exit: counts.open + counts.held + counts.unreadable > 0 ? 'found' : 'fine',
  }
}

/**
 * `was_erased`: it had been erased before and was erased again. `open`: it is being created or
 * cancelled. `held`: it or its workspace has a legal hold.
 */
type EraseAnswer = 'erased' | 'was_erased' | 'open' | 'held' | 'not_found'

type EraseServices = Pick<CommandServices, 'db' | 'erasureRows' | 'store' | 'vault'>

/** Uses the same function as the route. The erasure is recorded in the owner's audit. */
async function eraseShipment(
  services: EraseServices,
  shipmentId: string,
  { actorOn, includeNotes }: { readonly actorOn: ActorOn; readonly includeNotes: boolean },
): Promise<EraseAnswer> {
  const { store, db } = services
  const snapshot = await loadShipment(store, shipmentId)
  const { state } = snapshot
  if (state === null) return 'not_found'
  const { organization_id: organizationId, workspace_id: workspaceId, livemode } = state.request
  const actor = await actorOn(organizationId)
  const requestId = newRequestId()
  // A refused erasure is not recorded.
  const asked = { because: 'request', includeNotes } as const
  const refusal = await erasureRefusal(services, state, asked)
  if (refusal !== null) return refusal.kind
  if (state.erasedAt === null || (includeNotes && !state.areNotesErased)) {
    await audit(store, {
      actor,
      requestId,
      organizationId,
      workspaceId,
      livemode,
      type: 'PersonalDataErasureOrdered',
      data: { shipment_id: shipmentId },
    })
  }
  const { now } = await readClock(db, { workspaceId, livemode })
  const erased = await erasePersonalData(services, {
    shipmentId,
    snapshot,
    requestId,
    now,
    actor,
    ...asked,
    again: true,
  })
  if (erased.kind !== 'erased') return erased.kind
  return erased.isNew ? 'erased' : 'was_erased'
}

/** Events per read: a few milliseconds of the store's time. */
const pageMax = 1_000

/** Every shipment whose erasure is recorded in the ledger. */
async function* erasedIn(
  store: EventStore,
  read: (position: Position, events: number) => void,
): AsyncGenerator<ListedShipment> {
  let after: Position | null = null
  for (;;) {
    const options = { prefixes: [shipmentStreamPrefix], limit: pageMax }
    const { events, last } = await store.readAll(after, options)
    for (const event of events) {
      if (event.type !== 'PersonalDataErased') continue
      const includesNotes = event.data.includes_notes === true
      yield { shipmentId: shipmentIdOfStream(event.stream), includesNotes }
    }
    if (last === null || (events.length === 0 && last === after)) return
    read(last, events.length)
    after = last
  }
}
