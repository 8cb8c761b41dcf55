import { setTimeout as delay } from 'node:timers/promises'
import type { ApiClient } from '../../support/api-client.ts'
import type { Fleet } from '../../support/processes.ts'

export type KilledBatchOptions = {
  readonly lines: number
  readonly kills: number
  readonly say: (line: string) => void
}

export type KilledBatchResult = {
  readonly seconds: number
  readonly guides: number
  readonly calls: number
  readonly violations: readonly string[]
}

const askAgainMs = 200
/** In time on the sandbox clock: longer than any reconciliation takes. */
const untilConcluded = 'PT10M'
/** One line in this many gets a lost answer, which reconciliation must settle. */
const lostEvery = 50

/** The answer for a line, as the items of the batch show it. */
type Item = { readonly line: number; readonly state: string; readonly shipment_id: string | null }

/**
 * Creates a batch, kills the process that works on it several times, and compares every line with
 * the courier's own record.
 */
export async function killedBatch(
  all: Fleet,
  { lines, kills, say }: KilledBatchOptions,
): Promise<KilledBatchResult> {
  const roles = 'projector,worker'
  const api = await all.start({ roles: 'api' })
  let worker = await all.start({ roles })
  const before = { guides: all.record.guideCount(), calls: all.record.callCount('createGuide') }
  const beganAt = performance.now()
  const id = await sendBatch(all, api, lines)
  for (let kill = 1; kill <= kills; kill++) {
    const wanted = before.guides + Math.floor((lines * kill) / (kills + 1))
    while (all.record.guideCount() < wanted) await delay(askAgainMs / 20)
    worker.signal('SIGKILL')
    await worker.ended
    say(`killed after ${all.record.guideCount() - before.guides} guides`)
    worker = await all.start({ roles })
  }
  await untilEnded(api, id)
  const seconds = (performance.now() - beganAt) / 1_000
  await untilReconciled(api, id)
  // A line cut off before the courier was called created nothing; the shop sends the batch again.
  const again = await sendBatch(all, api, lines)
  await untilReconciled(api, again)
  const violations = await violationsOf(all, api, again, lines)
  const guides = all.record.guideCount() - before.guides
  const calls = all.record.callCount('createGuide') - before.calls
  if (guides !== lines) violations.push(`${guides} guides of ${lines} lines`)
  return { seconds, guides, calls, violations }
}

async function sendBatch(all: Fleet, api: ApiClient, lines: number): Promise<string> {
  const { workspace_id, courier_connection_id, ...line } = api.bodyOf('any')
  const text = Array.from({ length: lines }, (_, n) =>
    JSON.stringify({
      ...line,
      external_reference: `line-${n}`,
      ...(n % lostEvery === 1
        ? { metadata: { sandbox_scenario: 'lost_response_guide_created' } }
        : {}),
    }),
  )
  const about = new URLSearchParams({
    external_reference: 'killed',
    workspace_id: String(workspace_id),
    courier_connection_id: String(courier_connection_id),
  })
  const answer = await fetch(`${api.url}/v1/batches?${about}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${all.seeded.shopKey}`,
      'content-type': 'application/x-ndjson',
    },
    body: text.join('\n'),
  })
  const body = (await answer.json()) as { readonly id: string }
  if (answer.status !== 202) throw new Error(`the batch was answered ${answer.status}`)
  return body.id
}

async function untilEnded(api: ApiClient, id: string): Promise<void> {
  while ((await api.call(`/v1/batches/${id}`)).body.status === 'running') await delay(askAgainMs)
}

/**
 * Waits until reconciliation has found the guides of lost answers and of calls cut off by a kill.
 */
async function untilReconciled(api: ApiClient, id: string): Promise<void> {
  await untilEnded(api, id)
  await api.advance(untilConcluded)
  for (;;) {
    const { counts } = (await api.call(`/v1/batches/${id}`)).body
    if (!('unknown_outcome' in counts) && !('creating' in counts)) return
    await delay(askAgainMs)
  }
}

async function violationsOf(
  all: Fleet,
  api: ApiClient,
  id: string,
  lines: number,
): Promise<string[]> {
  const violations: string[] = []
  const items: Item[] = []
  for (let cursor = ''; ; ) {
    const { body } = await api.call(`/v1/batches/${id}/items?limit=100${cursor}`)
    items.push(...(body.data as Item[]))
    if (!body.has_more) break
    cursor = `&cursor=${body.next_cursor}`
  }
  if (items.length !== lines) violations.push(`${items.length} items of ${lines} lines`)
  const shipments = new Set(items.map((item) => item.shipment_id))
  if (shipments.size !== lines) violations.push(`${shipments.size} shipments of ${lines} lines`)
  for (const { line, state, shipment_id: shipmentId } of items) {
    if (state !== 'created') violations.push(`line ${line} is ${state}`)
    const guides = all.record.guidesOf(String(shipmentId)).length
    if (guides !== 1) violations.push(`line ${line} has ${guides} guides`)
  }
  return violations
}
