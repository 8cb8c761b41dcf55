import { createCipheriv, randomBytes, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import { shipmentPayload } from '../../../src/service/domain/shipment/shipment-payload.ts'
import { createGuide } from './instant-courier.ts'

/*
 * The minimum that keeps the promise of a creation: the body is checked, personal data sealed, an
 * intent durable under its key before the courier is called, and the outcome durable before the
 * answer. Takes DATABASE_URL, whose role may create tables, and PORT. Logs `"msg":"ready"` as the
 * service does.
 */

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const key = randomBytes(32)

function seal(text: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

await pool.query(`
  CREATE TABLE bare_intents (key text PRIMARY KEY, id uuid NOT NULL, sealed bytea NOT NULL,
    at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE bare_outcomes (id uuid PRIMARY KEY, guide text NOT NULL,
    at timestamptz NOT NULL DEFAULT now())`)

const app = Fastify()
app.post('/v1/shipments', async (request, reply) => {
  const body = shipmentPayload.safeParse(request.body)
  if (!body.success) return reply.code(422).send({ issues: body.error.issues })
  const id = randomUUID()
  const { rowCount } = await pool.query({
    name: 'intent',
    text: 'INSERT INTO bare_intents (key, id, sealed) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    values: [request.headers['idempotency-key'], id, seal(JSON.stringify(body.data))],
  })
  if (rowCount === 0) return reply.code(409).send({ title: 'this key has an intent already' })
  const guide = await createGuide()
  await pool.query({
    name: 'outcome',
    text: 'INSERT INTO bare_outcomes (id, guide) VALUES ($1, $2)',
    values: [id, guide],
  })
  return reply.code(201).send({ id, guide_number: guide, status: 'created' })
})
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.stdout.write('{"msg":"ready"}\n')
