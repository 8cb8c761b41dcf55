import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CreateGuide, SandboxContext } from '../../src/service/couriers/courier.ts'
import { deadlineIn } from '../../src/service/couriers/deadline.ts'
import {
  type SimulatedCourier,
  simulatedCourier,
} from '../../src/service/couriers/simulated-courier.ts'
import type { ShipmentPayload } from '../../src/service/domain/shipment/shipment-payload.ts'
import { type Simulator, simulator } from '../../src/simulator/simulator.ts'
import { type SimulatorRecord, simulatorRecord } from '../../src/simulator/simulator-record.ts'

export const startedAt = new Date('2030-01-01T12:00:00.000Z')

export function sandboxOf(
  scenario: string,
  afterMs = 0,
  more: Partial<SandboxContext> = {},
): SandboxContext {
  const now = new Date(startedAt.getTime() + afterMs)
  return { scenario, attempt: 1, attemptAt: startedAt, now, ...more }
}

export const organizationId = 'org_0000000000000000000001'
export const credentials = { username: 'shop', password: 'secret' }

/** The payload of a request; a call has origin, destination and package as the courier's codes. */
export const payload: ShipmentPayload = {
  workspace_id: 'ws_0000000000000000000001',
  courier_connection_id: 'ccn_0000000000000000000001',
  external_reference: 'ORDER-1001',
  origin: { agency_id: 'agy_0000000000000000000001' },
  destination: { agency_id: 'agy_0000000000000000000004' },
  package: {
    product_id: 'pkg_0000000000000000000001',
    quantity: 1,
    weight_kg: 1.5,
    height_m: 0.1,
    length_m: 0.2,
    width_m: 0.15,
  },
  service: { mode: 'terrestrial', payer: 'sender' },
  declared_content: 'Books',
  recipient: {
    document_type: 'DNI',
    document: '12345678',
    first_name: 'Ana',
    last_name: 'Ejemplo',
  },
}

export function createCall(more: Partial<CreateGuide> = {}): CreateGuide {
  return {
    requestId: 'req_0000000000000000000001',
    organizationId,
    credentials,
    sandbox: null,
    clientReference: 'shp_0000000000000000000001',
    notAfter: deadlineIn(20_000),
    origin: { code: 'A001' },
    destination: { code: 'A004' },
    package: {
      productCode: 'box_xs',
      quantity: 1,
      weightKg: 1.5,
      heightM: 0.1,
      lengthM: 0.2,
      widthM: 0.15,
    },
    payload,
    quotedAmount: null,
    ...more,
  }
}

export type Played = {
  readonly simulator: Simulator
  readonly courier: SimulatedCourier
  readonly record: SimulatorRecord
  readonly file: string
  /** A courier that talks to another simulator with the same record. */
  restart(): Promise<SimulatedCourier>
}

/**
 * A simulator with a fresh record, a courier that talks to it, and the record opened for reading.
 */
export async function played(teardown: (end: () => Promise<void>) => void): Promise<Played> {
  const directory = mkdtempSync(join(tmpdir(), 'simulator-'))
  const file = join(directory, 'record.db')
  const key = randomBytes(32)
  const server = await simulator({ file, key, host: '127.0.0.1' })
  const courier = simulatedCourier({ url: server.url })
  const record = simulatorRecord({ file, key })
  teardown(async () => {
    await courier.close()
    await server.close()
    record.close()
    rmSync(directory, { recursive: true })
  })
  const restart = async () => {
    const again = await simulator({ file, key, host: '127.0.0.1' })
    const courierAgain = simulatedCourier({ url: again.url })
    teardown(async () => {
      await courierAgain.close()
      await again.close()
    })
    return courierAgain
  }
  return { simulator: server, courier, record, file, restart }
}

export type RawServer = {
  readonly url: string
  /** Complete requests with their sockets, oldest first. */
  readonly requests: { readonly socket: Socket; readonly head: string }[]
  readonly sockets: Socket[]
}

/** A TCP server that handles each request as the test says, and records the requests. */
export async function rawServer(
  teardown: (end: () => Promise<void>) => void,
  onRequest: (socket: Socket, ordinal: number) => void,
  onConnection: (socket: Socket) => void = () => {},
): Promise<RawServer> {
  const requests: RawServer['requests'] = []
  const sockets: Socket[] = []
  const server: Server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    let text = ''
    let expected = 0
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      for (;;) {
        const end = text.indexOf('\r\n\r\n')
        if (end < 0) return
        const head = text.slice(0, end)
        expected = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
        if (text.length < end + 4 + expected) return
        text = text.slice(end + 4 + expected)
        requests.push({ socket, head })
        onRequest(socket, requests.length)
      }
    })
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  teardown(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return { url: `http://127.0.0.1:${address.port}`, requests, sockets }
}

export function httpAnswer(
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body)
  const lines = Object.entries({
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} Told\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
    bytes,
  ])
}

export const createdBody = JSON.stringify({
  success: true,
  guide: { guide_number: 'G1', pickup_code: null, price: null },
})
