import type { Principal } from '../security/api-keys.ts'
import { connections } from './connections/connection-schema.ts'
import { idOf } from './openapi/schemas.ts'
import { equals, type FilterTable, type FindDeps } from './rules/filters.ts'
import { findShipment } from './shipments/find-shipment.ts'

const findWorkspace = ({ workspaces }: FindDeps, principal: Principal, id: string) =>
  workspaces.require(principal, id)

/** Ids of other resources that lists are filtered by. */
export const named = {
  workspace_id: { ...equals(idOf('ws'), 'workspace_id'), find: findWorkspace },
  courier_connection_id: {
    ...equals(idOf('ccn'), 'courier_connection_id'),
    find: connections.find,
  },
  shipment_id: {
    ...equals(idOf('shp'), 'shipment_id'),
    find: findShipment,
  },
} satisfies FilterTable
