import t from 'tap'
import { killedBatch } from '../../prove/batches/killed-batch.ts'
import { fleet } from '../../support/processes.ts'

// A small part of `npm run prove:batches`.

const lines = 150

t.test('a batch whose worker is killed makes one guide for each line', async (t) => {
  const found = await killedBatch(await fleet(t), {
    lines,
    kills: 1,
    say: (line) => void t.comment(line),
  })
  t.strictSame(found.violations, [])
  t.equal(found.guides, lines)
})
