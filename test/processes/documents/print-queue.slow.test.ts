import { readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import t from 'tap'
import { Problem } from '../../../src/service/errors.ts'
import { newSheets, write } from '../../../src/service/processes/documents/print/sheet.ts'
import type { AskPrinter } from '../../../src/service/processes/documents/print-queue.ts'
import { PrintQueue } from '../../../src/service/processes/documents/print-queue.ts'
import { largeForm, longList } from '../../support/hostile-labels.ts'
import { plain } from '../../support/label-style.ts'
import { readPdf } from '../../support/read-pdf.ts'

const about = { name: 'label', caption: null } as const

type Limits = ConstructorParameters<typeof PrintQueue>[0]

function queueOf(
  t: { teardown(fn: () => Promise<void>): unknown },
  limits: Limits = {},
): PrintQueue {
  const queue = new PrintQueue(limits)
  t.teardown(async () => queue.close())
  return queue
}

async function label(text: string): Promise<Uint8Array> {
  const { sheet, finished } = newSheets('A6', { title: 'A label', language: null })
  sheet.addPage()
  write(sheet, text, { x: 20, y: 20, width: 200 })
  return await finished()
}

/** Prints one label through the queue, and returns its text. */
async function printOne(queue: PrintQueue, text: string): Promise<string | undefined> {
  const pdf = await label(text)
  return await queue.run('org_1', async (ask) => {
    await ask({ do: 'begin_labels', style: plain })
    await ask({ do: 'add_label', pdf, ...about })
    const { file } = await ask({ do: 'end_labels', cover: null })
    return readPdf(file)[0]?.text
  })
}

/** The process that prints for this one. */
function printerOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  const found = children.find((child) =>
    readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('print-process-main'),
  )
  return Number(found)
}

const isOverloaded = { name: 'Problem', reason: 'overloaded' }

t.test('papers are printed one at a time, in the order of the requests', async (t) => {
  const queue = queueOf(t)
  const said: string[] = []
  const gate = Promise.withResolvers<void>()
  const work = (name: string) => async () => {
    said.push(`${name} begins`)
    await gate.promise
    said.push(`${name} ends`)
  }
  const all = ['a', 'b', 'c'].map((name) => queue.run(`org_${name}`, work(name)))
  gate.resolve()
  await Promise.all(all)
  t.strictSame(said, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

const skip = process.platform === 'linux' ? false : 'it reads /proc'
t.test('only a job of many labels lowers the priority of the process', { skip }, async (t) => {
  const queue = queueOf(t, { promptLabels: 2, niceness: 3 })
  const printed = async (count: number) => {
    const pdf = await label('A label')
    await queue.run('org_1', async (ask) => {
      await ask({ do: 'begin_labels', style: plain })
      for (let at = 0; at < count; at++) await ask({ do: 'add_label', pdf, ...about })
      await ask({ do: 'end_labels', cover: null })
    })
    return getPriority(printerOf(process.pid)) - getPriority()
  }
  t.equal(await printed(2), 0)
  t.equal(await printed(3), 3)
})

t.test('organizations print in turn, however many requests each has', async (t) => {
  const queue = queueOf(t)
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = queue.run('org_a', () => gate.promise)
  const all = ['a', 'a', 'a', 'b', 'c'].map((name) =>
    queue.run(`org_${name}`, async () => void order.push(name)),
  )
  gate.resolve()
  await Promise.all([first, ...all])
  t.strictSame(order, ['a', 'b', 'c', 'a', 'a'])
})

t.test('beyond the queue a request is refused and told when to come back', async (t) => {
  const queue = queueOf(t, { waitingMax: 2, ofOrganizationWaitingMax: 1 })
  const gate = Promise.withResolvers<void>()
  const held = [1, 2].map(() => queue.run('org_1', () => gate.promise))
  await t.rejects(
    queue.run('org_1', () => gate.promise),
    isOverloaded,
    'one organization has two',
  )
  held.push(queue.run('org_2', () => gate.promise))
  const refused = await queue.run('org_3', () => gate.promise).catch((error: unknown) => error)
  t.match(refused, isOverloaded)
  t.equal(refused instanceof Problem && refused.options.retryAfterSeconds, 5)
  gate.resolve()
  await Promise.all(held)
  t.equal(await queue.run('org_3', async () => 'now'), 'now')
})

t.test('a request does not wait for its turn forever', async (t) => {
  const queue = queueOf(t, { waitMs: 20 })
  const gate = Promise.withResolvers<void>()
  const first = queue.run('org_1', () => gate.promise)
  await t.rejects(
    queue.run('org_2', () => gate.promise),
    isOverloaded,
  )
  gate.resolve()
  await first
  t.equal(await queue.run('org_2', async () => 'now'), 'now', 'its place is free again')
})

t.test('work that fails leaves the queue as it was', async (t) => {
  const queue = queueOf(t)
  await t.rejects(
    queue.run('org_1', () => Promise.reject(new Error('no'))),
    /no/,
  )
  t.match(await printOne(queue, 'After a failure'), 'After a failure')
})

t.test('a process that dies fails its request only, and the next one gets another', async (t) => {
  // A busy machine takes long to run out of memory.
  const queue = queueOf(t, { memoryMaxMib: 64, labelMs: 60_000, printMs: 90_000 })
  t.match(await printOne(queue, 'Before'), 'Before')
  const dead = queue.run('org_1', async (ask) => {
    await ask({ do: 'begin_labels', style: plain })
    return await ask({ do: 'add_label', pdf: longList(), ...about })
  })
  await t.rejects(dead, /The process that prints ended: SIGABRT/)
  t.match(await printOne(queue, 'After'), 'After')
})

t.test(
  'a label that exhausts the memory for drawing ends the process, not later labels',
  async (t) => {
    const queue = queueOf(t, { memoryMaxMib: 64, labelMs: 60_000, printMs: 90_000 })
    const draw = (pdf: Uint8Array) =>
      queue.run('org_1', async (ask) => {
        await ask({ do: 'begin_labels', style: { ...plain, format: 'png' } })
        await ask({ do: 'add_label', pdf, ...about })
        await ask({ do: 'draw_page' })
        return await ask({ do: 'end_labels', cover: null })
      })
    await t.rejects(draw(largeForm(100)), { name: 'PrintProcessEnded' })
    t.match(await draw(await label('After')), { answer: { kind: 'printed', media: 'image/png' } })
  },
)

t.test('work that takes too long is ended, and adds nothing to later papers', async (t) => {
  // A busy machine takes seconds to start the printing process.
  const queue = queueOf(t, { printMs: 15_000 })
  let late: AskPrinter | undefined
  const stuck = queue.run('org_1', async (ask) => {
    late = ask
    await ask({ do: 'begin_labels', style: plain })
    return await new Promise(() => undefined)
  })
  const next = printOne(queue, 'The next one')
  await t.rejects(stuck, isOverloaded)
  const pdf = await label('Of another organization')
  await t.rejects(
    Promise.resolve(late?.({ do: 'add_label', pdf, ...about })),
    /time to print is over/,
  )
  t.match(await next, 'The next one')
})

t.test('the process adds no label to the file of another turn', async (t) => {
  const queue = queueOf(t)
  await queue.run('org_1', (ask) => ask({ do: 'begin_labels', style: plain }))
  const pdf = await label('Of another organization')
  await t.rejects(
    queue.run('org_2', (ask) => ask({ do: 'add_label', pdf, ...about })),
    /not begun in this process/,
  )
})
