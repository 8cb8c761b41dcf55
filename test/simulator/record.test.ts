import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { simulatedCourier } from '../../src/service/couriers/simulated-courier.ts'
import { simulatorRecord } from '../../src/simulator/simulator-record.ts'
import { createCall } from '../couriers/support.ts'

const key = Buffer.alloc(32, 7)
const program = `
  const { simulator } = await import(process.argv[1])
  const key = Buffer.alloc(32, 7)
  const { url } = await simulator({ file: process.argv[2], key, host: '127.0.0.1' })
  console.log(url)
`
const module = import.meta.resolve('../../src/simulator/simulator.ts')

t.test('after kill -9 the record has every answered creation, and none twice', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'record-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'record.db')
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program, module, file],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  t.teardown(() => child.kill('SIGKILL'))
  const [chunk] = await once(child.stdout, 'data')
  const courier = simulatedCourier({ url: String(chunk).trim() })
  t.teardown(() => courier.close())

  const answered: string[] = []
  const unknown: string[] = []
  const calls = Array.from({ length: 200 }, async (_, index) => {
    const clientReference = `reference-${index}`
    const { kind } = await courier.createGuide(createCall({ clientReference }))
    if (kind === 'created') answered.push(clientReference)
    if (kind === 'unknown') unknown.push(clientReference)
    if (answered.length === 20) child.kill('SIGKILL')
  })
  await Promise.all(calls)
  t.ok(answered.length >= 20 && answered.length < 200, 'it was killed in the middle')
  t.ok(unknown.length > 0, 'answers were lost')

  const record = simulatorRecord({ file, key })
  t.teardown(() => record.close())
  for (const reference of answered) t.equal(record.guidesOf(reference).length, 1, reference)
  for (const reference of unknown) t.ok(record.guidesOf(reference).length <= 1, reference)
  t.strictSame(record.doubled(), [])
})

t.test('the personal data of a record cannot be read with another key', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'record-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'record.db')
  const own = simulatorRecord({ file, key })
  t.teardown(() => own.close())
  const at = new Date()
  own.addGuide(
    {
      guideNumber: 'G1',
      clientReference: 'r',
      scenario: 'happy_path',
      attemptAt: at,
      createdAt: at,
      originCode: 'A001',
      destinationCode: 'A004',
      serviceMode: 'terrestrial',
      quantity: 1,
      weightKg: 1,
      priceAmount: 1,
    },
    {
      documentType: 'DNI',
      document: '1',
      firstName: 'A',
      lastName: 'B',
      declaredContent: 'C',
      pickupCode: '1',
    },
  )
  t.match(own.personOf('r', 'G1'), { firstName: 'A' })
  const other = simulatorRecord({ file, key: Buffer.alloc(32, 8) })
  t.teardown(() => other.close())
  t.throws(() => other.personOf('r', 'G1'))
  t.throws(() => simulatorRecord({ file, key: Buffer.alloc(16) }), /32 bytes/)
})

/** The schema before it stored charges of accounts. */
const earlierSchema = `
  CREATE TABLE guides (
    id INTEGER PRIMARY KEY, guide_number TEXT NOT NULL, client_reference TEXT NOT NULL,
    scenario TEXT NOT NULL, attempt_at INTEGER NOT NULL, created_at INTEGER NOT NULL,
    origin_code TEXT NOT NULL, destination_code TEXT NOT NULL, service_mode TEXT NOT NULL,
    quantity INTEGER NOT NULL, weight_kg REAL NOT NULL, price_amount INTEGER NOT NULL,
    cancelled_at INTEGER, person BLOB
  ) STRICT;
  INSERT INTO guides VALUES
    (1, 'G1', 'r', 'happy_path', 0, 0, 'A001', 'A004', 'terrestrial', 1, 1.0, 900, NULL, NULL);
`

t.test('a record of an earlier version opens, and is charged from then on', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'record-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'record.db')
  const earlier = new DatabaseSync(file)
  earlier.exec(earlierSchema)
  earlier.close()
  const record = simulatorRecord({ file, key })
  t.teardown(() => record.close())
  t.match(record.guidesOf('r'), [{ guideNumber: 'G1' }])
  const period = { from: new Date(0), before: new Date(2) }
  t.strictSame(record.chargesOf('a', period), [], 'the guide has no account')
  const charge = {
    attemptAt: new Date(1),
    guideNumber: 'G2',
    clientReference: 'r',
    scenario: 'happy_path',
    amount: 900,
    weightKg: 1,
  }
  record.addCharge({ ...charge, account: 'a' })
  t.strictSame(record.chargesOf('a', period), [
    { ...charge, isCancelled: false, cashOnDelivery: null },
  ])
  t.strictSame(record.chargesOf('b', period), [])
})
