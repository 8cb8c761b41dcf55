import { randomUUID } from 'node:crypto'
import {
  getPostgreSQLEventStore,
  PostgreSQLEventStoreDefaultStreamVersion,
  pongoSingleStreamProjection,
} from '@event-driven-io/emmett-postgresql'
import Fastify from 'fastify'
import {
  type ShipmentPayload,
  shipmentPayload,
} from '../../../src/service/domain/shipment/shipment-payload.ts'
import { createGuide } from './instant-courier.ts'

/*
 * A creation on a general event store, Emmett: an intent under its key before the courier is called,
 * the outcome before the answer, and a list of shipments that is written with the events. Personal
 * data is not sealed. Takes DATABASE_URL, whose role may create tables, and PORT. Logs
 * `"msg":"ready"` as the service does.
 */

type Intended = {
  readonly type: 'ShipmentIntended'
  readonly data: { readonly id: string; readonly body: ShipmentPayload }
}
type Created = {
  readonly type: 'GuideCreated'
  readonly data: { readonly id: string; readonly guide: string }
}

type ListedShipment = {
  readonly id: string
  readonly reference: string
  readonly status: 'pending' | 'created'
  readonly guide: string | null
}

const nothing: ListedShipment = { id: '', reference: '', status: 'pending', guide: null }

/** A database of the service has a table `shipments` already. */
const list = pongoSingleStreamProjection<ListedShipment, Intended | Created>({
  collectionName: 'emmett_shipments',
  canHandle: ['ShipmentIntended', 'GuideCreated'],
  initialState: () => nothing,
  evolve: (listed: ListedShipment, { type, data }: Intended | Created): ListedShipment => {
    switch (type) {
      case 'ShipmentIntended':
        return { ...listed, id: data.id, reference: data.body.external_reference }
      case 'GuideCreated':
        return { ...listed, status: 'created', guide: data.guide }
    }
  },
})

const store = getPostgreSQLEventStore(process.env.DATABASE_URL ?? '', {
  projections: [{ type: 'inline', projection: list }],
})
await store.schema.migrate()

/** The library has this class, but not in the package that we use directly. */
const conflictCode = 412
function isConflict(error: unknown): boolean {
  return error instanceof Error && 'errorCode' in error && error.errorCode === conflictCode
}

const app = Fastify()
app.post('/v1/shipments', async (request, reply) => {
  const body = shipmentPayload.safeParse(request.body)
  if (!body.success) return reply.code(422).send({ issues: body.error.issues })
  const id = randomUUID()
  const stream = `shipment-${request.headers['idempotency-key']}`
  const intended: Intended = { type: 'ShipmentIntended', data: { id, body: body.data } }
  let expectedStreamVersion: bigint
  try {
    const appended = await store.appendToStream(stream, [intended], {
      // Not STREAM_DOES_NOT_EXIST, which this version does not check on PostgreSQL.
      expectedStreamVersion: PostgreSQLEventStoreDefaultStreamVersion,
    })
    expectedStreamVersion = appended.nextExpectedStreamVersion
  } catch (error) {
    if (!isConflict(error)) throw error
    return reply.code(409).send({ title: 'this key has an intent already' })
  }
  const guide = await createGuide()
  const created: Created = { type: 'GuideCreated', data: { id, guide } }
  await store.appendToStream(stream, [created], { expectedStreamVersion })
  return reply.code(201).send({ id, guide_number: guide, status: 'created' })
})
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.stdout.write('{"msg":"ready"}\n')
