import t from 'tap'
import { type ApiClient, freshShop } from '../../support/api-client.ts'
import { comparedInvoice } from '../../support/sent-invoice.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const path = '/v1/courier-invoices'
const operator = { key: shop.seeded.operatorKey }

/** Sends an invoice and waits until it is compared. */
async function invoiced(own: ApiClient, reference: string, lines: readonly object[]) {
  const body = { courier_connection_id: own.seeded.connectionId, reference, lines }
  const sent = await own.call(path, { body, ...operator })
  t.equal(sent.status, 202, reference)
  return await comparedInvoice(own, sent.body.id)
}

t.test('decisions about a finding that a line no longer has are found', async (t) => {
  const own = await freshShop(shop, 'outdated')
  const [a, b] = (await Promise.all(['a', 'b'].map((key) => own.create(key)))).map(({ body }) => ({
    guide_number: body.guide_number,
    ...body.price,
  }))
  await invoiced(own, 'january', [a])
  const { id } = await invoiced(own, 'february', [a, b, a])
  const decide = (line: number) =>
    own.call(`${path}/${id}/lines/${line}/decision`, {
      body: { decision: 'disputed', note: 'It was billed in January.' },
      ...operator,
    })
  for (const line of [1, 3]) t.equal((await decide(line)).status, 200)
  const outdated = async () => ({
    count: (await own.call(`${path}/${id}`, operator)).body.decisions,
    lines: (await own.call(`${path}/${id}/lines?decided=outdated`, operator)).body.data.map(
      ({ line }: { line: number }) => line,
    ),
    rows: String((await own.call(`${path}/${id}/lines.csv?decided=outdated`, operator)).body)
      .trimEnd()
      .split('\r\n').length,
  })
  const counts = { accepted: 0, disputed: 2 }
  t.strictSame(await outdated(), {
    count: { ...counts, outdated: 0, matched: 0, to_check: 0 },
    lines: [],
    rows: 1,
  })

  await invoiced(own, 'january', [b])
  await own.call(`${path}/${id}/compare`, { method: 'POST', ...operator })
  await comparedInvoice(own, id)
  t.strictSame(await outdated(), {
    count: { ...counts, outdated: 1, matched: 1, to_check: 0 },
    lines: [1],
    rows: 2,
  })
  const { body: whole } = await own.call(`${path}/${id}/lines?decided=true`, operator)
  t.match(whole.data, [
    { line: 1, finding: 'matched', decision: { finding: 'billed_twice' } },
    { line: 3, finding: 'billed_twice', decision: { finding: 'billed_twice' } },
  ])

  t.match((await decide(1)).body, { decision: { finding: 'matched' } }, 'decided again')
  t.strictSame(await outdated(), {
    count: { ...counts, outdated: 0, matched: 1, to_check: 0 },
    lines: [],
    rows: 1,
  })
})
