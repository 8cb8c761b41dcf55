import t from 'tap'
import { eventually } from '../../support/eventually.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const path = '/v1/courier-invoices'
const operator = { key: shop.seeded.operatorKey }

function line(guideNumber: string) {
  return { guide_number: guideNumber, amount: 100, currency: 'PEN' }
}

/** Sends an invoice of these guides, and waits until it is compared. */
async function invoiceOf(reference: string, guides: readonly string[]) {
  const body = {
    courier_connection_id: shop.seeded.connectionId,
    reference,
    lines: guides.map(line),
  }
  const sent = await shop.call(path, { body, ...operator })
  t.equal(sent.status, 202, reference)
  const { body: invoice } = await eventually(
    () => shop.call(`${path}/${sent.body.id}`, operator),
    (answer) => answer.body.status === 'compared',
  )
  return invoice
}

t.test('lines of an invoice are read from one to another, in a version', async (t) => {
  const invoice = await invoiceOf('range', ['A', 'B', 'C', 'D'])
  t.match(invoice, { status: 'compared', total: 4, compared_lines: 4 })
  const linesOf = async (query: string) => {
    const { body } = await shop.call(`${path}/${invoice.id}/lines?${query}`, operator)
    return body.data.map((each: { guide_number: string }) => each.guide_number)
  }
  t.strictSame(await linesOf('first_line=2&last_line=3'), ['B', 'C'])
  t.strictSame(await linesOf('last_line=1'), ['A'])
  t.strictSame(await linesOf('first_line=5'), [])
  t.strictSame(await linesOf('first_line=3&limit=1'), ['C'])
  await invoiceOf('range', ['X'])
  t.strictSame(await linesOf('first_line=4&version=1'), ['D'])
  const refused = await shop.call(`${path}/${invoice.id}/lines?first_line=0`, operator)
  t.match(refused, { status: 400, body: { reason: 'invalid_filter' } })
})

t.test('a decision about what was read is refused once the line is another one', async (t) => {
  const invoice = await invoiceOf('seen', ['E', 'F'])
  const decide = (body: object) =>
    shop.call(`${path}/${invoice.id}/lines/1/decision`, { body, ...operator })
  const seen = { version: 1, finding: 'unknown_guide', decided_at: null }
  const disputed = { decision: 'disputed', note: 'Not ours.', seen }
  const changed = { status: 409, body: { reason: 'invoice_line_changed', retryable: false } }
  t.match(await decide({ ...disputed, seen: { ...seen, finding: 'matched' } }), changed)
  t.match(await decide({ ...disputed, seen: { ...seen, version: 2 } }), changed)
  const first = await decide(disputed)
  t.match(first, { status: 200, body: { decision: { decision: 'disputed' } } })
  t.strictSame((await decide(disputed)).body, first.body, 'a repeat after a lost answer')
  const accepted = { ...disputed, decision: 'accepted', note: 'It is ours.' }
  t.match(await decide(accepted), changed, 'another operator has decided')
  const decidedAt = first.body.decision.at
  const second = await decide({ ...accepted, seen: { ...seen, decided_at: decidedAt } })
  t.match(second, { status: 200, body: { decision: { decision: 'accepted' } } })
  await invoiceOf('seen', ['G'])
  t.match(await decide({ ...disputed, note: 'Of the version before.' }), changed)
  t.match((await decide({ decision: 'disputed', note: 'As it is.' })).status, 200)
})

t.test('of equal lines, each keeps its own decision in a later version', async (t) => {
  const before = await invoiceOf('twice', ['H', 'I', 'I', 'J'])
  const body = { decision: 'disputed', note: 'Billed twice.' }
  const decided = await shop.call(`${path}/${before.id}/lines/3/decision`, { body, ...operator })
  t.equal(decided.status, 200)
  const decisionsOf = async (guides: readonly string[]) => {
    const { id } = await invoiceOf('twice', guides)
    const { body: lines } = await shop.call(`${path}/${id}/lines`, operator)
    return lines.data.map(
      (line: { decision: { decision: string } | null }) => line.decision?.decision,
    )
  }
  const [none, disputed] = [undefined, 'disputed']
  t.strictSame(await decisionsOf(['K', 'H', 'I', 'I', 'L']), [none, none, none, disputed, none])
  t.strictSame(await decisionsOf(['I', 'H']), [none, none], 'the line that was right is left')
})
