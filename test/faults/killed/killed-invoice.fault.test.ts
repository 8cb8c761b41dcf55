import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { fleet } from '../../support/processes.ts'

const lines = 30_000
/** Every second line bills the guide of the previous line again, with the same amount. */
const lineBefore = (line: number) => line - (line % 2)
const askAgainMs = 20

t.test('a killed process loses nothing of a comparison, and others go on with it', async (t) => {
  const all = await fleet(t)
  const api = await all.start({ roles: 'api,projector' })
  let worker = await all.start({ roles: 'worker' })
  const rows = Array.from(
    { length: lines },
    (_, line) => `G-${lineBefore(line)},${lineBefore(line)},PEN\r\n`,
  )
  const about = new URLSearchParams({
    courier_connection_id: all.seeded.connectionId,
    reference: 'killed',
  })
  const answer = await fetch(`${api.url}/v1/courier-invoices?${about}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${all.seeded.operatorKey}`,
      'content-type': 'text/csv',
    },
    body: `guide_number,amount_minor,currency\r\n${rows.join('')}`,
  })
  t.equal(answer.status, 202)
  const { id } = (await answer.json()) as { readonly id: string }
  const { parts } = all
  const comparedLine = async () => {
    const row = await parts.db
      .selectFrom('courier_invoices')
      .select(['compared_line', 'state'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return row.state === 'compared' ? lines : row.compared_line
  }
  const killedAt: number[] = []
  for (const share of [0.1, 0.4]) {
    while ((await comparedLine()) < lines * share) await delay(askAgainMs)
    worker.signal('SIGKILL')
    await worker.ended
    killedAt.push(await comparedLine())
    worker = await all.start({ roles: 'worker' })
    // The dead process's invoice is free after its lease; a second process must not disturb this.
    await all.start({ roles: 'worker' })
  }
  t.ok(
    killedAt.every((line) => line < lines),
    `killed at lines ${killedAt.join(' and ')}`,
  )
  const read = () => api.call(`/v1/courier-invoices/${id}`, { key: all.seeded.operatorKey })
  let { body } = await read()
  while (body.status !== 'compared') {
    await delay(askAgainMs)
    body = (await read()).body
  }
  t.strictSame(
    body.totals.map(({ finding, lines: count }: { finding: string; lines: number }) => [
      finding,
      count,
    ]),
    [
      ['billed_twice', lines / 2],
      ['unknown_guide', lines / 2],
    ],
  )
  const told = await parts.db
    .selectFrom('webhook_events')
    .select('id')
    .where('type', '=', 'courier_invoice.compared')
    .execute()
  t.equal(told.length, 1, 'its webhook was sent once')
})
