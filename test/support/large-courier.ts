import { createServer } from 'node:http'
import { operations } from '../../src/service/couriers/protocol.ts'

/** The maximum that a courier may list. */
export const agencyCount = 20_000

const departments = ['Áncash', 'Lima', 'Cusco', 'La Libertad', 'Piura', 'Junín', 'Amazonas']
const streets = [
  'Av. Los Álamos',
  'Jr. Grau',
  'Calle San Martín',
  'Av. José Olaya',
  'Pasaje El Sol',
]
const corners = ['Norte', 'Sur', 'Este', 'Oeste', 'Central', 'Añil']

function agency(number: number): object {
  return {
    code: `A${number}`,
    name: `Agencia ${corners[number % corners.length]} ${number}`,
    address: `${streets[number % streets.length]} ${(number * 7) % 9_999}, Mz. ${number % 77} Lt. ${number % 31}, a b c d e f g h`,
    department: departments[number % departments.length],
    province: `Provincia ${number % 190}`,
    district: `Distrito ${number % 1_800}`,
    capabilities: number % 10 === 0 ? ['pickup'] : ['drop_off', 'pickup'],
  }
}

export type LargeCourier = {
  readonly url: string
  close(): Promise<void>
}

/** A connector with the longest allowed list of agencies, over real HTTP; it ships nothing. */
export async function largeCourier(): Promise<LargeCourier> {
  const agencies = Array.from({ length: agencyCount }, (_, number) => agency(number))
  const lists = new Map<string | undefined, string>([
    [operations.agencies.path, JSON.stringify({ success: true, agencies })],
    [operations.packageProducts.path, JSON.stringify({ success: true, package_products: [] })],
    [operations.verifyCredentials.path, JSON.stringify({ success: true })],
  ])
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json')
    response.end(lists.get(request.url) ?? JSON.stringify({ success: false, code: 'closed' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
