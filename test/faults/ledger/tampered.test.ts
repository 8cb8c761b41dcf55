import t from 'tap'
import { acts } from '../../prove/tamper/acts.ts'
import { Attacker } from '../../prove/tamper/attacker.ts'
import { evidenceLedger } from '../../prove/tamper/evidence-ledger.ts'
import { actRound, columnRound, control, evidenceColumns } from '../../prove/tamper/rounds.ts'

/*
 * A small part of `npm run prove:tamper`: on a ledger in PostgreSQL one column of each kind that has
 * ever been missed, and every act.
 */

const made = await evidenceLedger(t, { eventStoreUrl: undefined, eventStoreNamespace: '' })
const attacker = new Attacker(made.database.adminUrl)
t.teardown(() => attacker.end())
await attacker.begin()

const some: ReadonlySet<string> = new Set([
  'ledger.event.data',
  'sealed_batches.leaves',
  'merkle_tiles.hashes',
  'merkle_tree.position',
  'checkpoints.root',
  'checkpoints.position',
  'checkpoints.signed_at',
  'checkpoint_keys.since_size',
  'checkpoint_cosignatures.name',
  'checkpoint_cosignatures.line',
  'vault.workspace_id',
  'vault_items.payload',
  'workspaces.legal_hold_since',
  'operators.status',
  'api_keys.operator_id',
  'organizations.type',
  'projections.shipments.state',
  'operators.name',
])

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
    for (const act of acts) {
      const { problem } = await actRound(made, attacker, { act, t })
      t.equal(problem, null, act.what)
    }
    t.equal((await control(made, 'nothing, after all of this was put back')).problem, null)
  },
)
