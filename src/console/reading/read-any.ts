import type { Client } from '../../client/create-client.ts'

type Read = (client: Client, id: string, signal: AbortSignal) => Promise<object>

/** Reads an object by the prefix of its id. Types missing here cannot be read individually. */
const reads: Readonly<Record<string, Read>> = {
  op: (client, id, signal) => client.operations.get({ id }, { signal }),
  shp: (client, id, signal) => client.shipments.get({ id }, { signal }),
  bat: (client, id, signal) => client.batches.get({ id }, { signal }),
  inv: (client, id, signal) => client.courierInvoices.get({ id }, { signal }),
  ws: (client, id, signal) => client.workspaces.get({ id }, { signal }),
  ccn: (client, id, signal) => client.courierConnections.get({ id }, { signal }),
  key: (client, id, signal) => client.keys.getById({ id }, { signal }),
  opr: (client, id, signal) => client.operators.get({ id }, { signal }),
  agy: (client, id, signal) => client.couriers.getAgency({ id }, { signal }),
  quo: (client, id, signal) => client.quotes.get({ id }, { signal }),
  evt: (client, id, signal) => client.webhookEvents.get({ id }, { signal }),
  whe: (client, id, signal) => client.webhookEndpoints.get({ id }, { signal }),
  req: (client, id, signal) => client.requests.get({ id }, { signal }),
  dlv: (client, id, signal) => client.webhookDeliveries.get({ id }, { signal }),
}

/** Null if this is not an id or its type cannot be read individually. */
export function readOf(id: string): Read | null {
  const [, prefix = ''] = /^([a-z]+)_[0-9A-Za-z]+$/.exec(id) ?? []
  return reads[prefix] ?? null
}
