import { alterAppend } from './altered-append.ts'
import { cutProjector } from './checkpoint-mutants.ts'
import { crashMatrix, nameOf } from './crash-matrix.ts'
import { identityReader, unorderedAppends } from './naive-readers.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

type Found = { readonly isCaught: boolean; readonly figures: string }

/** A mutation that must be caught, and how to run it. */
export type Mutant = { readonly name: string; readonly play: (t: Test) => Promise<Found> }

const round = 'creation x lost_response_guide_created x three at once'
/** Violations that a stopped clock does not explain. */
const twice = /: (2 guides|executed 2 times)$/

/**
 * A round of the matrix in which appends ignore the expected revision, so a decision on an old
 * state is accepted and creates a second guide.
 */
export async function forgottenRevisions(t: Test): Promise<Found> {
  const { cases, violations } = await crashMatrix(t, {
    lanes: 1,
    say: () => undefined,
    isWanted: (each) => nameOf(each) === round,
    spoil: ({ database }) =>
      alterAppend(database.adminUrl, [
        ['AND a.expected = a.current AND NOT', 'AND NOT'],
        ['WHERE a.expected = a.current AND', 'WHERE'],
        // The place in the quota would show that the shipment exists.
        ['WHEN b.is_unread AND', 'WHEN false AND'],
      ]),
  })
  const found = violations.filter((each) => twice.test(each)).length
  return { isCaught: found > 0, figures: `${cases} cases, ${found} of a second guide` }
}

async function checkpoint(t: Test, how: 'checkpoint first' | 'rows first'): Promise<Found> {
  const cut = await cutProjector(t)
  const { cases, wrong } = await cut(how)
  return { isCaught: wrong > 0, figures: `${cases} cases, ${wrong} with events lost or doubled` }
}

/** The mutations that the crash matrix and similar proofs must catch. */
export const crashMutants: readonly Mutant[] = [
  { name: 'appends that forget the expected revision', play: forgottenRevisions },
  {
    name: 'a checkpoint before the transaction of its rows',
    play: (t) => checkpoint(t, 'checkpoint first'),
  },
  {
    name: 'a checkpoint after the transaction of its rows',
    play: (t) => checkpoint(t, 'rows first'),
  },
  {
    name: 'a tail reader that trusts an identity column',
    play: async (t) => {
      const { seen, committed } = await identityReader(t)
      return {
        isCaught: seen.length < committed,
        figures: `${seen.length} of ${committed} events seen`,
      }
    },
  },
  {
    name: 'appends without an order among them',
    play: async (t) => {
      const { total, missed, isNoticed } = await unorderedAppends(t)
      const isCaught = missed > 0 && isNoticed
      return { isCaught, figures: `${missed} of ${total} events missed by a naive tail reader` }
    },
  },
]
