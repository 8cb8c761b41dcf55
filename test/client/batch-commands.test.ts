import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { exampleShipmentRequest } from '../../src/service/http/openapi/examples.ts'
import { runClientCommand } from '../support/run-process.ts'
import { service } from '../support/service.ts'

const shop = await service(t)
const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-batch-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const keyFile = join(folder, 'key')
writeFileSync(keyFile, `${shop.seeded.shopKey}\n`)
const asShop = ['--key-file', keyFile, '--url', shop.url]

function file(name: string, lines: readonly unknown[]): string {
  const path = join(folder, name)
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'))
  return path
}

t.test('a file becomes a batch, followed to its end, with what was refused', async (t) => {
  const { workspace_id, ...line } = exampleShipmentRequest('cli-1', shop.seeded)
  const path = file('orders.ndjson', [line, { ...line, external_reference: 'cli-2' }, { x: 1 }])
  const created = await runClientCommand(
    {},
    ...['batch', 'create', path, '--reference', 'cli', '--progress', ...asShop],
  )
  t.equal(created.code, 1, created.stderr)
  t.match(created.stdout, /^bat_\w+ is completed: 3 lines, 2 created, 1 failed\.\n/)
  t.match(created.stdout, /line 3 .*\/external_reference: The field is required\./)
  const [id = ''] = /^bat_\w+/.exec(created.stdout) ?? []
  const shown = await runClientCommand({}, 'batch', 'show', id, ...asShop, '--json')
  t.equal(shown.code, 1)
  t.match(JSON.parse(shown.stdout), {
    object: 'batch',
    counts: { created: 2, failed: 1 },
    failed: [{ line: 3, error: { reason: 'validation_failed' } }],
  })
  const again = file('again.ndjson', [line, { ...line, external_reference: 'cli-2' }])
  const second = await runClientCommand(
    {},
    ...['batch', 'create', again, '--reference', 'cli', '--progress', ...asShop],
  )
  t.equal(second.code, 0, second.stderr)
  t.equal(shop.record.guideCount(), 2, 'the same batch found its shipments')
})

t.test('a check says what would be refused, and creates nothing', async (t) => {
  const { workspace_id, ...line } = exampleShipmentRequest('check-1', shop.seeded)
  const heavy = {
    ...line,
    external_reference: 'check-2',
    package: { ...line.package, weight_kg: 900 },
  }
  const path = file('check.ndjson', [line, heavy])
  const guides = shop.record.guideCount()
  const create = ['batch', 'create', path, '--reference', 'check']
  const checked = await runClientCommand({}, ...create, '--check', ...asShop)
  t.equal(checked.code, 1, checked.stderr)
  t.match(checked.stdout, /^1 of 2 lines are good\. Nothing was created\.\nErrors:\n {2}line 2 /)
  t.equal(shop.record.guideCount(), guides)
  const sent = await runClientCommand({}, ...create, '--skip-invalid', '--progress', ...asShop)
  t.equal(sent.code, 1, sent.stderr)
  t.match(sent.stdout, /: 2 lines, 1 created, 1 invalid\.\nRefused:\n {2}line 2 /)
  t.equal(shop.record.guideCount(), guides + 1)
})

t.test('what cannot be sent is refused', async (t) => {
  const path = file('orders.txt', [])
  const empty = file('empty.csv', [])
  for (const [code, sentence, ...words] of [
    [64, 'must end in .csv', 'batch', 'create', path, '--reference', 'x', ...asShop],
    [64, 'cannot be read', 'batch', 'create', `${path}.csv`, '--reference', 'x', ...asShop],
    [64, '--reference is missing', 'batch', 'create', empty, ...asShop],
    [64, 'The key is missing', 'batch', 'create', empty, '--reference', 'x'],
    [64, 'must be given by its id', 'batch', 'show', 'x', ...asShop],
    [
      1,
      /^The file is empty\. Its first line must name the columns\.\n$/,
      'batch',
      'create',
      empty,
      '--reference',
      'x',
      ...asShop,
    ],
  ] as const) {
    const answer = await runClientCommand({}, ...words)
    t.equal(answer.code, code, String(sentence))
    t.match(answer.stderr, sentence)
  }
})
