import type { ComponentType } from 'react'
import type { Scope } from './parts/scopes.tsx'
import { AnyObject } from './screens/any-object.tsx'
import { OperationScreen } from './screens/operation.tsx'
import { Operations } from './screens/operations.tsx'
import { ShipmentScreen } from './screens/shipment.tsx'
import { Shipments } from './screens/shipments.tsx'

/** A screen is one file and one line here. `id` is the part of its path of that name, else empty. */
export type Screen = {
  /** Below `/console`. */
  readonly path: string
  /** Its word in the navigation; screens of one resource have none. */
  readonly title: string | null
  /** Without it the screen says that the key may not read it; null: every key may. */
  readonly scope: Scope | null
  readonly show: ComponentType<{ readonly id: string }>
}

export const screens: readonly Screen[] = [
  { path: '/operations', title: 'Operations', scope: 'operations:read', show: Operations },
  { path: '/operations/:id', title: null, scope: 'operations:read', show: OperationScreen },
  { path: '/shipments', title: 'Shipments', scope: 'shipments:read', show: Shipments },
  { path: '/shipments/:id', title: null, scope: 'shipments:read', show: ShipmentScreen },
  { path: '/objects/:id', title: null, scope: null, show: AnyObject },
]
