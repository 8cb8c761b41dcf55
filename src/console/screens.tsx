import type { ComponentType } from 'react'
import type { Scope } from './parts/scopes.tsx'
import { AnyObject } from './screens/any-object.tsx'
import { Deliveries } from './screens/deliveries.tsx'
import { DeliveryScreen } from './screens/delivery.tsx'
import { EndpointScreen } from './screens/endpoint.tsx'
import { Health } from './screens/health.tsx'
import { OperationScreen } from './screens/operation.tsx'
import { Operations } from './screens/operations.tsx'
import { Sandbox } from './screens/sandbox.tsx'
import { ShipmentScreen } from './screens/shipment.tsx'
import { Shipments } from './screens/shipments.tsx'
import { UsageScreen } from './screens/usage.tsx'
import { Webhooks } from './screens/webhooks.tsx'

/** A screen is one file and one line here. `id` is the path part of that name, or empty. */
export type Screen = {
  /** The path below `/console`. */
  readonly path: string
  /** Its word in the navigation; screens of a single resource have none. */
  readonly title: string | null
  /** Without this scope the screen says that the key may not read it; null: every key may. */
  readonly scope: Scope | null
  readonly show: ComponentType<{ readonly id: string }>
}

export const screens: readonly Screen[] = [
  { path: '/operations', title: 'Operations', scope: 'operations:read', show: Operations },
  { path: '/operations/:id', title: null, scope: 'operations:read', show: OperationScreen },
  { path: '/shipments', title: 'Shipments', scope: 'shipments:read', show: Shipments },
  { path: '/shipments/:id', title: null, scope: 'shipments:read', show: ShipmentScreen },
  { path: '/webhooks', title: 'Webhooks', scope: 'webhooks:read', show: Webhooks },
  { path: '/webhooks/:id', title: null, scope: 'webhooks:read', show: EndpointScreen },
  { path: '/deliveries', title: 'Deliveries', scope: 'webhooks:read', show: Deliveries },
  { path: '/deliveries/:id', title: null, scope: 'webhooks:read', show: DeliveryScreen },
  { path: '/sandbox', title: 'Sandbox', scope: null, show: Sandbox },
  { path: '/health', title: 'Health', scope: null, show: Health },
  { path: '/usage', title: 'Usage and keys', scope: null, show: UsageScreen },
  { path: '/objects/:id', title: null, scope: null, show: AnyObject },
]
