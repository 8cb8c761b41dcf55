import type { Principal } from '../security/api-keys.ts'
import { connections } from './connections/connection-schema.ts'
import { filterText, idOf } from './openapi/schemas.ts'
import { equals, type FilterTable, type FindDeps } from './rules/filters.ts'
import { findShipment } from './shipments/find-shipment.ts'

const findWorkspace = ({ workspaces }: FindDeps, principal: Principal, id: string) =>
  workspaces.require(principal, id)

export const workspaceFilter = idOf('ws').meta({ description: 'Only those in this workspace.' })
export const shipmentFilter = idOf('shp').meta({ description: 'Only those of this shipment.' })

export const providerFilter = filterText(64).meta({
  description: 'Only those of this courier, by its code.',
  example: 'mock',
})

/** Filters by the id of another resource. */
export const named = {
  workspace_id: { ...equals(workspaceFilter, 'workspace_id'), find: findWorkspace },
  courier_connection_id: {
    ...equals(
      idOf('ccn').meta({ description: 'Only those of this courier connection.' }),
      'courier_connection_id',
    ),
    find: connections.find,
  },
  shipment_id: { ...equals(shipmentFilter, 'shipment_id'), find: findShipment },
} satisfies FilterTable
