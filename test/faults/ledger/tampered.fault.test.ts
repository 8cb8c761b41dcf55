import t from 'tap'
import { acts } from '../../prove/tamper/acts.ts'
import { Attacker } from '../../prove/tamper/attacker.ts'
import { evidenceLedger } from '../../prove/tamper/evidence-ledger.ts'
import { actRound, columnRound, control, evidenceColumns } from '../../prove/tamper/rounds.ts'

/*
 * A small part of `npm run prove:tamper`: on a ledger in PostgreSQL, one column and one act of each
 * kind.
 */

const made = await evidenceLedger(t, { eventStoreUrl: undefined, eventStoreNamespace: '' })
const attacker = new Attacker(made.database.adminUrl)
t.teardown(() => attacker.end())
await attacker.begin()

const some: ReadonlySet<string> = new Set([
  'merkle_tree.position',
  'checkpoints.root',
  'checkpoint_keys.since_size',
  'checkpoint_cosignatures.name',
  'checkpoint_cosignatures.line',
  'vault.workspace_id',
  'vault_items.payload',
  'workspaces.legal_hold_since',
  'operators.status',
  'operators.name',
])

/** One of each kind. */
const isTried = (what: string) =>
  /^the tail|older copy|two shipments swapped|of a hold on|put back after|hold put back|the last event/.test(
    what,
  )

t.test('nothing is found on a ledger that nobody touched', async (t) => {
  const { problem } = await control(made, 'nothing')
  t.equal(problem, null)
  t.same(made.forged, [422, 422, 422], 'an operator claimed in a request is refused')
})

t.test(
  'each column of the database is known as evidence or not, and a changed one is found',
  async (t) => {
    for (const column of await evidenceColumns(attacker)) {
      const name = `${column.table}.${column.column}`
      if (!some.has(name)) continue
      const round = await columnRound(made, attacker, column)
      t.equal(round?.problem, null, name)
    }
  },
)

t.test(
  'what an attacker with all rights does is found by the commands that the page names',
  async (t) => {
    for (const act of acts.filter(({ what }) => isTried(what))) {
      const { problem } = await actRound(made, attacker, { act, t })
      t.equal(problem, null, act.what)
    }
  },
)
