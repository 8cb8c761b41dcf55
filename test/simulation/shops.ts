import { currentAttempt } from '../../src/service/domain/shipment/shipment.ts'
import { Problem } from '../../src/service/errors.ts'
import { existing, loadShipment, type Snapshot } from '../../src/service/event-store/transact.ts'
import type { CreationRequest } from '../../src/service/processes/calls/creation-request.ts'
import { cancelShipment } from '../../src/service/processes/calls/shipment-cancellation.ts'
import { createShipment } from '../../src/service/processes/calls/shipment-creation.ts'
import { request } from '../support/given.ts'
import type { ServiceNode } from './service-node.ts'
import type { World } from './virtual-time.ts'

/** Guide numbers in answers, by shipment. */
export type Answers = Map<string, Set<string>>

/** The running processes, to which requests are sent. */
export type Counter = {
  readonly nodes: () => readonly ServiceNode[]
  readonly violate: (what: string) => void
}
type Shops = Counter & { readonly answers: Answers }

/** How often a shop repeats a key before it gives up for now. */
const triesMax = 12
/** A shop's timeout for one request. */
const patienceMs = 40_000

/**
 * Shops with several keys, each used by several callers at about the same time, some with a
 * different body.
 */
export function shops(world: World, counter: Shops): readonly (() => Promise<void>)[] {
  const keys = Math.ceil(world.between(0, 5))
  return Array.from({ length: keys }, (_, key) => async () => {
    await world.sleep(world.between(0, 20_000))
    const callers = world.happens(0.5) ? 1 : Math.ceil(world.between(1, 6))
    const ended = await Promise.all(
      Array.from({ length: callers }, (_, caller) =>
        create(world, counter, `order-${key}`, world.happens(0.2) ? caller : 0),
      ),
    )
    const made = ended.find((each) => each !== null) ?? null
    if (made === null || !world.happens(0.4)) return
    const cancellers = world.happens(0.6) ? 1 : 3
    await Promise.all(
      Array.from({ length: cancellers }, (_, canceller) =>
        cancel(world, counter, made, `cancel-${world.happens(0.5) ? 0 : canceller}`),
      ),
    )
  })
}

type Made = { readonly shipmentId: string; readonly snapshot: Snapshot }

/** Repeats a key until there is a final answer. */
async function create(
  world: World,
  counter: Shops,
  key: string,
  variant: number,
): Promise<Made | null> {
  for (let tries = 0; tries < triesMax; tries++) {
    await world.sleep(world.between(1, 3_000))
    const answer = await ask(world, counter, (node) =>
      createShipment(node.deps, orderOf(key, variant)),
    )
    if (answer === 'never') return null
    if (answer === 'later') continue
    const { shipmentId, snapshot } = answer
    await seeOwn(world, counter, shipmentId, snapshot)
    const attempt = currentAttempt(existing(snapshot))
    if (attempt.guide !== null) {
      const known = counter.answers.get(shipmentId) ?? new Set()
      counter.answers.set(shipmentId, known.add(attempt.guide.guideNumber))
      return { shipmentId, snapshot }
    }
    if (attempt.state !== 'not_sent' && attempt.state !== 'calling') return null
  }
  return null
}

async function cancel(
  world: World,
  counter: Counter,
  { shipmentId, snapshot: found }: Made,
  idempotencyKey: string,
): Promise<void> {
  for (let tries = 0; tries < triesMax; tries++) {
    await world.sleep(world.between(1, 3_000))
    const answer = await ask(world, counter, async (node) => {
      const requestId = `req_${idempotencyKey}`
      const request = { shipmentId, found, idempotencyKey, actor, requestId }
      return await cancelShipment(node.deps, request)
    })
    if (answer === 'never') return
    if (answer === 'later') continue
    await seeOwn(world, counter, shipmentId, answer.snapshot)
    if (answer.situation.kind !== 'underway') return
  }
}

/** `later`: no answer, or one that says to retry. */
export async function ask<T>(
  world: World,
  counter: Counter,
  work: (node: ServiceNode) => Promise<T>,
): Promise<T | 'later' | 'never'> {
  const nodes = counter.nodes()
  const node = nodes[Math.floor(world.chance() * nodes.length)]
  if (node === undefined) return 'later'
  const { signal } = node.process
  const cut = Promise.withResolvers<'later'>()
  const hangUp = () => cut.resolve('later')
  signal.addEventListener('abort', hangUp, { once: true })
  try {
    return await Promise.race([
      work(node).catch((error: unknown) => {
        if (error instanceof Problem) {
          return error.reason === 'idempotency_key_reused' || error.reason === 'quota_exceeded'
            ? 'never'
            : 'later'
        }
        return 'later'
      }),
      cut.promise,
      world.sleep(patienceMs).then(() => 'later' as const),
    ])
  } finally {
    signal.removeEventListener('abort', hangUp)
  }
}

/** Checks that every process returns the answer that another one has given. */
async function seeOwn(
  world: World,
  counter: Counter,
  shipmentId: string,
  { revision }: Snapshot,
): Promise<void> {
  const read = await ask(world, counter, (node) => loadShipment(node.deps.store, shipmentId))
  if (typeof read !== 'object') return
  if ((read.revision ?? -1) >= (revision ?? 0)) return
  counter.violate('what was answered is not there for the next process')
}

const actor = { type: 'api_key', keyId: 'key_1' } as const

function orderOf(key: string, variant: number): CreationRequest {
  return {
    organizationId: request.organization_id,
    livemode: true,
    actor,
    requestId: `req_${key}_${variant}`,
    idempotencyKey: key,
    body: {
      workspace_id: request.workspace_id,
      courier_connection_id: request.courier_connection_id,
      external_reference: key,
      origin: request.origin,
      destination: request.destination,
      package: request.package,
      service: { mode: 'terrestrial', payer: 'sender' },
      declared_content: 'a book',
      recipient: {
        document_type: 'DNI',
        document: String(40_000_000 + variant),
        first_name: 'Ada',
        last_name: 'Quispe',
      },
    },
    scenario: null,
  }
}
