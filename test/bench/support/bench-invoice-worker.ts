import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { createServices } from '../../../src/service/app.ts'
import {
  linesOfInvoice,
  readInvoiceBody,
} from '../../../src/service/http/courier-invoices/read-invoice.ts'
import { comparisons } from '../../../src/service/processes/invoices/run-invoices.ts'
import { storeInvoice } from '../../../src/service/processes/invoices/store-invoice.ts'
import { runQueue } from '../../../src/service/queue/run.ts'
import { SheetThread } from '../../../src/service/sheets/sheet-thread.ts'
import { noLogger, testSecrets } from '../../support/service.ts'

/*
 * Reads, stores and compares an invoice with this many lines in a process that does nothing else,
 * and prints the measurements as JSON. `bench-invoice-worker.ts <database's URL> <lines>`
 */

export type InvoiceWork = {
  readonly importSeconds: number
  readonly compareSeconds: number
  /** Before the invoice, with everything loaded. */
  readonly idleMegabytes: number
  readonly peakMegabytes: number
  /** Processor time of the longest turn of the event loop. */
  readonly longestHoldMs: { readonly reading: number; readonly comparing: number }
}

const [databaseUrl = '', asked = '0'] = process.argv.slice(2)
const lines = Number(asked)
const connection = 'ccn_0000000000000000000001'
const parts = createServices({
  databaseUrl,
  secrets: testSecrets(),
  simulatorUrl: null,
  log: noLogger(),
})

const sheets = new SheetThread()

let longestMs = 0
let usedMs = Number.POSITIVE_INFINITY
setInterval(() => {
  const { user, system } = process.threadCpuUsage()
  longestMs = Math.max(longestMs, (user + system) / 1_000 - usedMs)
  usedMs = (user + system) / 1_000
}, 1).unref()

function longestHold(): number {
  const answer = longestMs
  longestMs = 0
  return answer
}

function fileOf(count: number): Buffer {
  const rows = Array.from(
    { length: count },
    (_, n) => `G-${n},1250,PEN,0.8,2026-03-01,order-${n}\r\n`,
  )
  return Buffer.from(
    `guide_number,amount,currency,weight_kg,date,client_reference\r\n${rows.join('')}`,
  )
}

/** Reads and stores an invoice. Returns how long the event loop was blocked by reading. */
async function imported(id: string, count: number): Promise<number> {
  const query = { courier_connection_id: connection, reference: id }
  const body = fileOf(count)
  await delay(100)
  longestHold()
  const principal = { organizationId: 'org_0000000000000000000001' }
  const request = { body, query, headers: {}, principal, id: '' } as unknown as FastifyRequest
  const lines = await linesOfInvoice(await readInvoiceBody({ sheets }, request), {
    skipsInvalid: false,
  })
  const held = longestHold()
  const invoice = {
    id,
    organizationId: 'org_0000000000000000000001',
    workspaceId: 'ws_0000000000000000000001',
    livemode: false,
    connectionId: connection,
    reference: id,
    period: null,
    actor: { type: 'system', keyId: null } as const,
    requestId: 'req_0000000000000000000001',
  }
  await storeInvoice(parts, invoice, lines, async () => undefined)
  return held
}

async function compared(id: string): Promise<void> {
  for (;;) {
    const { state } = await parts.db
      .selectFrom('courier_invoices')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (state === 'compared') return
    await delay(50)
  }
}

const stop = new AbortController()
const running = runQueue(parts, [comparisons(parts)], stop.signal)
// Warms up: code is compiled at first use.
await imported('inv_0000000000000000000000', Math.min(lines, 500))
await compared('inv_0000000000000000000000')
const idleMegabytes = process.resourceUsage().maxRSS / 1_024
const id = 'inv_0000000000000000000001'
const startedAt = performance.now()
const reading = await imported(id, lines)
const importedAt = performance.now()
longestHold()
parts.workAdded.notify()
await compared(id)
const work: InvoiceWork = {
  importSeconds: (importedAt - startedAt) / 1_000,
  compareSeconds: (performance.now() - importedAt) / 1_000,
  idleMegabytes,
  peakMegabytes: process.resourceUsage().maxRSS / 1_024,
  longestHoldMs: { reading, comparing: longestHold() },
}
stop.abort()
await running
await sheets.close()
await parts.close()
process.stdout.write(`${JSON.stringify(work)}\n`)
