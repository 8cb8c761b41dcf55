import t from 'tap'
import type { ScenarioName } from '../../../src/service/couriers/scenarios/scenarios.ts'
import { freePort } from '../../../src/service/embedded-postgres/postmaster.ts'
import type { CaseAnswers } from '../../prove/crashes/crash-checks.ts'
import { crashMatrix, nameOf } from '../../prove/crashes/crash-matrix.ts'
import { subjectOf } from '../../prove/crashes/crash-subjects.ts'
import { shipOrder, violationsOfOrders } from '../../prove/crashes/killed-orders.ts'
import { keyStampede } from '../../prove/stampede/key-stampede.ts'
import { crashableServer } from '../../support/crashable-server.ts'
import { eventually } from '../../support/eventually.ts'
import { fleet } from '../../support/processes.ts'

// A small part of `npm run prove:crashes`, prove:stampede and prove:soak.

const rounds = new Set([
  'creation x happy_path x new process',
  'creation x lost_response_guide_created x same process',
])
/** The courier call of a creation. */
const points = [
  { k: 4, when: 'before' },
  { k: 4, when: 'after' },
] as const

const keys = 3
const callers = 50

const untilEverythingEnded = 'PT10M'
/** One wave of orders for each kill. */
const wave: readonly ScenarioName[] = [
  'happy_path',
  'happy_path',
  'happy_path',
  'lost_response_guide_created',
  'cancel_response_lost',
]

t.test('a creation interrupted before or after the courier call happens once', async (t) => {
  const { cases, violations } = await crashMatrix(t, {
    lanes: rounds.size,
    points,
    say: (line) => void t.comment(line),
    isWanted: (round) => rounds.has(nameOf(round)),
  })
  t.strictSame(violations, [])
  // A warm process has fewer points than a new one.
  t.ok(cases >= points.length, `${cases} cases`)
})

t.test('concurrent callers and killed processes never make two guides for a key', async (t) => {
  const database = await crashableServer(t)
  const all = await fleet(t, { database })
  const start = async (roles: string) => {
    const port = await freePort()
    return { roles, port, process: await all.start({ roles, port }) }
  }
  const slots = await Promise.all([start('api'), start('api'), start('projector,worker')])
  const [first, second, worker] = slots
  const shops = [first.process, second.process]
  const found = await keyStampede(all, shops, { keys, callers, say: () => undefined })
  t.strictSame(found.violations, [])
  t.strictSame([found.guides, found.calls, found.made], [keys, keys, keys])

  const killed = async (slot: typeof first) => {
    slot.process.signal('SIGKILL')
    await slot.process.ended
    slot.process = await all.start({ roles: slot.roles, port: slot.port })
  }
  const asking: Promise<CaseAnswers>[] = []
  for (const [index, kill] of [
    () => killed(first),
    () => killed(worker),
    () => database.kill().then(() => database.restart()),
  ].entries()) {
    const before = all.record.callCount('createGuide')
    for (const [n, scenario] of wave.entries()) {
      const subject = subjectOf(first.process, `killed-${index}-${n}`, scenario)
      asking.push(shipOrder(n % 2 === 0 ? first.process : second.process, subject))
    }
    // In the middle: some orders have reached the courier, and none is finished.
    await eventually(
      () => all.record.callCount('createGuide'),
      (calls) => calls > before,
    )
    await kill()
  }
  const orders = await Promise.all(asking)
  t.equal((await second.process.advance(untilEverythingEnded)).body.advancing_to, null)
  t.strictSame(await violationsOfOrders(all, second.process, orders), [])
})
