import type { Position } from '../../event-store/event-store.ts'
import type { ListedShipment } from '../../processes/erasure/erasure-list.ts'
import { asRequired, operatorActing } from '../acting.ts'
import type { EraseAnswer, ErasureAdministration } from '../administration.ts'
import {
  type Call,
  type Command,
  CommandFailed,
  type Said,
  Undecided,
  UsageError,
} from '../command.ts'
import { progress } from '../progress.ts'

/** Progress is written once for so many shipments, and for the last. */
const reportedEvery = 1_000

export const erase: Command = {
  name: 'erase',
  summary: 'Erases the personal data of a shipment, or of all shipments on a list again.',
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
      description: 'Erases the notes of decisions and the comments too, which may name the person.',
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
    const { erasures, store } = await open()
    const includeNotes = flags.has('include-notes')
    const eraseIt: EraseIt = ({ shipmentId, includesNotes }) =>
      erasures.erase(shipmentId, actorOn, includeNotes || includesNotes)
    if (subject !== '') return await eraseOne(eraseIt, subject)
    const file = flags.get('from')
    if (file !== undefined)
      return await eraseAll(call, eraseIt, listed(erasures, file, call.pathOf(file)))
    const head = await store.head()
    const reading = progress({ what: 'erase', head, write: call.writeError })
    const read = (position: Position, events: number) => {
      if (call.isWatched) reading(position, events)
    }
    return await eraseAll(call, eraseIt, erasures.erased(read))
  },
}

type EraseIt = (shipment: ListedShipment) => Promise<EraseAnswer>

async function eraseOne(eraseIt: EraseIt, shipmentId: string): Promise<Said> {
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

async function* listed(
  erasures: ErasureAdministration,
  file: string,
  path: string,
): AsyncGenerator<ListedShipment | null> {
  try {
    yield* erasures.listed(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'EISDIR' && code !== 'EACCES') throw error
    throw new Undecided(`${file} cannot be read.`)
  }
}

/** Each is safe to repeat: an interrupted erasure starts again, and a finished one costs little. */
async function eraseAll(
  { writeError, isWatched }: Call,
  eraseIt: EraseIt,
  shipments: AsyncIterable<ListedShipment | null>,
): Promise<Said> {
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
