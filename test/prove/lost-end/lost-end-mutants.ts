import { runProcess } from '../../support/run-process.ts'
import { say } from '../../support/say.ts'
import { playPromotions } from './promotions.ts'
import { clusterFiles } from './replica-pair.ts'
import { playRestores } from './restores.ts'
import { Violations } from './violations.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** A flaw that the proof must find, as a change of text in a copy of the code. */
export type LostEndMutant = {
  readonly name: string
  /** Files with a text that occurs once, and its replacement. */
  readonly changes: readonly (readonly [file: string, before: string, after: string])[]
  /** Runs the round that finds it. */
  readonly play: (t: Test) => Promise<Violations>
  /** The kinds of violations, at least one of which must be found. */
  readonly breaks: readonly string[]
}

const seed = 39
const limits = { noticedMs: 15_000, goesOnMs: 60_000 }

async function promotion(
  t: Test,
  more: { readonly isOutgrown: boolean; readonly keepsCheckpoints: boolean },
): Promise<Violations> {
  const files = await clusterFiles(t)
  return await playPromotions(t, files, {
    seed,
    rounds: 1,
    apis: 2,
    cutMsMax: 2_000,
    limits,
    say,
    ...more,
  })
}

async function test(file: string): Promise<Violations> {
  const { PATH = '' } = process.env
  const { code } = await runProcess(file, { env: { PATH } }).ended
  const violations = new Violations()
  violations.check(code === 0, 'its test fails', file)
  return violations
}

const restore = (t: Test) => playRestores(t, { seed, rounds: 1, sinceMsMax: 2_000, limits, say })

export const lostEndMutants: readonly LostEndMutant[] = [
  {
    name: 'any event at a remembered position is taken for the one that was there',
    changes: [
      [
        'src/service/event-store/event-store.ts',
        'if (found !== expected.id)',
        'if (found === null)',
      ],
      [
        'src/service/event-store/postgres/server-state.ts',
        'row.found !== furthest.id',
        'row.found === null',
      ],
      [
        'src/service/event-store/postgres/recent-events.ts',
        'if (from?.event && first?.id !== from.event.id)',
        'if (from?.event && first === undefined)',
      ],
      [
        'src/service/ledger/recovery/find-damage.ts',
        'return found === expected.id ? null',
        'return found !== null ? null',
      ],
    ],
    play: (t) => promotion(t, { isOutgrown: true, keepsCheckpoints: false }),
    breaks: [
      'the damage was not noticed within 15 s',
      'a creation while damaged',
      'a second guide',
    ],
  },
  {
    name: 'a damage that clears by itself',
    changes: [
      [
        'src/service/processes/recovery/ledger-guard.ts',
        '    if (damage !== null) {\n      this.#unwritten = null',
        '    if (damage !== null && Date.now() - damage.noticedAt.getTime() < 2_000) {\n      this.#unwritten = null',
      ],
      [
        'src/service/processes/recovery/ledger-guard.ts',
        'if (hasRecovered || recovered.includes(this.#damage.id)) this.#leave()',
        'this.#leave()\n      if (this.#damage === null) return',
      ],
    ],
    play: (t) => promotion(t, { isOutgrown: false, keepsCheckpoints: true }),
    breaks: ['the damage was forgotten', 'a creation while damaged'],
  },
  {
    name: 'a creation that asks no courier first',
    changes: [
      [
        'src/service/processes/recovery/find-first.ts',
        'if (findFirst === null) return null',
        'if (findFirst !== undefined) return null',
      ],
    ],
    play: restore,
    breaks: ['a second guide'],
  },
  {
    name: 'a seal that is not cut back',
    changes: [
      [
        'src/service/ledger/recovery/recover-ledger.ts',
        'if (survey.cut !== null) await',
        'if (survey.cut !== null && false) await',
      ],
    ],
    // A database with a ledger of its own never has a seal that is ahead of it.
    play: () => test('test/faults/ledger/recovered.waiting.fault.test.ts'),
    breaks: ['its test fails'],
  },
  {
    name: 'an outcome that is dropped with its intent',
    changes: [
      [
        'src/service/processes/calls/make-call.ts',
        '  const { snapshot, ...again } = await call.recordAgain(',
        '  if (recorded === null) return { snapshot: committed, items: new Map() }\n  const { snapshot, ...again } = await call.recordAgain(',
      ],
    ],
    play: (t) => promotion(t, { isOutgrown: false, keepsCheckpoints: true }),
    breaks: ['a guide that was made in flight is not recorded'],
  },
]
