import pg from 'pg'
import t from 'tap'
import { migrate } from '../../src/service/database/migrate.ts'
import { type Finding, findings } from '../../src/service/domain/invoices/finding.ts'
import { applicationRole } from '../../src/service/embedded-postgres/embedded.ts'
import { testDatabase } from '../support/test-database.ts'
import { undoFrom0065 } from './former-seals.ts'

const { adminUrl } = await testDatabase(t)
const admin = new pg.Client({ connectionString: adminUrl })
await admin.connect()
t.teardown(() => admin.end())

type Line = {
  readonly finding: Finding | null
  readonly amount?: number
  readonly currency?: string
  readonly expected?: object | null
  readonly billing?: object | null
}

let lines = 0

/** Stores lines of one invoice, and returns what each has at stake. */
async function atStake(...stored: readonly Line[]): Promise<readonly (string | null)[]> {
  const found: (string | null)[] = []
  for (const { finding, amount = 1_450, currency = 'PEN', expected, billing = null } of stored) {
    const price = { amount: 1_200, currency: 'PEN', weight_kg: 0.8 }
    const { rows } = await admin.query(
      `INSERT INTO courier_invoice_lines (invoice_id, version, line, organization_id,
         courier_connection_id, guide_number, amount, currency, billed_at, finding, expected, billing)
       VALUES ('inv_1', 1, $1, 'org', 'ccn', 'SG1', $2, $3, 1, $4, $5, $6) RETURNING at_stake`,
      [
        ++lines,
        amount,
        currency,
        finding,
        JSON.stringify(expected === undefined ? price : expected),
        billing === null ? null : JSON.stringify({ line: lines, lines: 2, ...billing }),
      ],
    )
    found.push(rows[0].at_stake)
  }
  return found
}

t.before(async () => {
  await admin.query(
    `INSERT INTO courier_invoices (id, organization_id, workspace_id, livemode,
       courier_connection_id, reference, version, state)
     VALUES ('inv_1', 'org', 'ws', false, 'ccn', 'x', 1, 'compared')`,
  )
  await admin.query(
    `INSERT INTO courier_invoice_versions (invoice_id, version, organization_id, total, actor,
       request_id)
     VALUES ('inv_1', 1, 'org', 3, '{}', 'req')`,
  )
})

const byFinding: Readonly<Record<Finding, string | null>> = {
  matched: null,
  amount_differs: '250',
  weight_differs: null,
  billed_twice: '1450',
  cancelled_guide: '1450',
  nothing_created: '1450',
  unknown_guide: '1450',
  unresolved: null,
  part_of: null,
}

t.test('each finding has its own amount at stake', async (t) => {
  const found = await atStake(...findings.map((finding) => ({ finding })))
  t.strictSame(Object.fromEntries(findings.map((finding, at) => [finding, found[at]])), byFinding)
  t.strictSame(await atStake({ finding: null }), [null], 'before it is compared')
})

t.test('several charges of a guide are at stake once, with their sum', async (t) => {
  const billing = { amount: 2_000 }
  t.strictSame(
    await atStake(
      { finding: 'part_of', billing: { ...billing, line: 0 } },
      { finding: 'amount_differs', billing },
      { finding: 'billed_twice', billing },
      { finding: 'amount_differs', billing: { amount: null } },
      { finding: 'billed_twice', billing: { amount: null } },
    ),
    [null, '800', '2000', null, null],
  )
})

t.test(
  'nothing is at stake where less is billed, another currency, or no price is known',
  async (t) => {
    t.strictSame(
      await atStake(
        { finding: 'amount_differs', amount: 1_000 },
        { finding: 'amount_differs', amount: 1_200 },
        { finding: 'amount_differs', currency: 'USD' },
        { finding: 'amount_differs', expected: null },
        { finding: 'amount_differs', expected: { amount: null, currency: null, weight_kg: 1 } },
      ),
      [null, null, null, null, null],
    )
  },
)

t.test('invoices that were compared before amounts were at stake get their sums', async (t) => {
  await undoFrom0065(admin)
  await admin.query(`DELETE FROM courier_invoice_lines`)
  await admin.query(
    `INSERT INTO courier_invoice_lines (invoice_id, version, line, organization_id,
       courier_connection_id, guide_number, amount, currency, billed_at, finding)
     SELECT 'inv_1', 1, n, 'org', 'ccn', 'SG' || n, 100 * n, 'PEN', 1,
       CASE WHEN n < 3 THEN 'unknown_guide' ELSE 'matched' END
     FROM generate_series(1, 3) AS n`,
  )
  await admin.query(
    `UPDATE courier_invoice_versions SET totals = '[{"finding": "matched"}]'; INSERT INTO
       courier_invoice_versions (invoice_id, version, organization_id, total, actor, request_id)
     VALUES ('inv_1', 2, 'org', 3, '{}', 'req')`,
  )
  await admin.query(`DELETE FROM migrations.kysely_migration WHERE name >= '0065'`)
  await migrate({ adminUrl, applicationRole })
  const { rows } = await admin.query('SELECT totals FROM courier_invoice_versions ORDER BY version')
  t.strictSame(
    rows.map(({ totals }) => totals),
    [
      [
        { finding: 'matched', currency: 'PEN', lines: 1, amount: 300, at_stake: 0 },
        { finding: 'unknown_guide', currency: 'PEN', lines: 2, amount: 300, at_stake: 300 },
      ],
      [],
    ],
  )
})
