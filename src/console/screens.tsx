import { i18n } from '@lingui/core'
import type { IconProps } from '@tabler/icons-react'
import IconActivityHeartbeat from '@tabler/icons-react/icons/IconActivityHeartbeat'
import IconBuildingStore from '@tabler/icons-react/icons/IconBuildingStore'
import IconFileInvoice from '@tabler/icons-react/icons/IconFileInvoice'
import IconFileSpreadsheet from '@tabler/icons-react/icons/IconFileSpreadsheet'
import IconFlask from '@tabler/icons-react/icons/IconFlask'
import IconGauge from '@tabler/icons-react/icons/IconGauge'
import IconHome from '@tabler/icons-react/icons/IconHome'
import IconKey from '@tabler/icons-react/icons/IconKey'
import IconList from '@tabler/icons-react/icons/IconList'
import IconListCheck from '@tabler/icons-react/icons/IconListCheck'
import IconPackage from '@tabler/icons-react/icons/IconPackage'
import IconPlugConnected from '@tabler/icons-react/icons/IconPlugConnected'
import IconSend from '@tabler/icons-react/icons/IconSend'
import IconUsers from '@tabler/icons-react/icons/IconUsers'
import IconWebhook from '@tabler/icons-react/icons/IconWebhook'
import type { ComponentType } from 'react'
import type { Scope } from './parts/scopes.tsx'

type ScreenComponent = ComponentType<{ readonly id: string }>

/** A screen is one file and one entry here. `id` is the path parameter of that name, or empty. */
export type Screen = {
  /** The path below `/console`. */
  readonly path: string
  /** Its label in the navigation; null for screens of a single resource. */
  readonly title: (() => string) | null
  /** Its section of the navigation. */
  readonly group: 'Work' | 'Integration' | 'Setup' | 'Service' | null
  readonly icon: ComponentType<IconProps> | null
  /** The scope a key needs to see the screen; null if every key may. */
  readonly scope: Scope | null
  /** Loads the screen's code when it is first opened. */
  load(): Promise<ScreenComponent>
}

const listed = { group: null, icon: null, title: null } as const

export const screens: readonly Screen[] = [
  {
    path: '/',
    title: () => i18n.t('Home'),
    group: 'Work',
    icon: IconHome,
    scope: 'operations:read',
    load: async () => (await import('./home/home.tsx')).Home,
  },
  {
    path: '/operations',
    title: () => i18n.t('Operations'),
    group: 'Work',
    icon: IconListCheck,
    scope: 'operations:read',
    load: async () => (await import('./operations/operations.tsx')).Operations,
  },
  {
    ...listed,
    path: '/operations/:id',
    scope: 'operations:read',
    load: async () => (await import('./operations/operation.tsx')).OperationScreen,
  },
  {
    path: '/shipments',
    title: () => i18n.t('Shipments'),
    group: 'Work',
    icon: IconPackage,
    scope: 'shipments:read',
    load: async () => (await import('./shipments/shipments.tsx')).Shipments,
  },
  {
    ...listed,
    path: '/shipments/new',
    scope: 'shipments:write',
    load: async () => (await import('./shipments/new-shipment.tsx')).NewShipment,
  },
  {
    ...listed,
    path: '/shipments/:id',
    scope: 'shipments:read',
    load: async () => (await import('./shipments/shipment.tsx')).ShipmentScreen,
  },
  {
    path: '/batches',
    title: () => i18n.t('Batches'),
    group: 'Work',
    icon: IconFileSpreadsheet,
    scope: 'shipments:read',
    load: async () => (await import('./batches/batches.tsx')).Batches,
  },
  {
    ...listed,
    path: '/batches/new',
    scope: 'shipments:write',
    load: async () => (await import('./batches/new-batch.tsx')).NewBatch,
  },
  {
    ...listed,
    path: '/batches/:id',
    scope: 'shipments:read',
    load: async () => (await import('./batches/batch.tsx')).BatchScreen,
  },
  {
    path: '/courier-invoices',
    title: () => i18n.t('Courier invoices'),
    group: 'Work',
    icon: IconFileInvoice,
    scope: 'operations:read',
    load: async () => (await import('./invoices/invoices.tsx')).Invoices,
  },
  {
    ...listed,
    path: '/courier-invoices/new',
    scope: 'operations:review',
    load: async () => (await import('./invoices/import-invoice.tsx')).ImportInvoice,
  },
  {
    ...listed,
    path: '/courier-invoices/:id',
    scope: 'operations:read',
    load: async () => (await import('./invoices/invoice.tsx')).InvoiceScreen,
  },
  {
    ...listed,
    path: '/courier-invoices/:id/lines',
    scope: 'operations:read',
    load: async () => (await import('./invoices/work/invoice-lines.tsx')).InvoiceLinesScreen,
  },
  {
    ...listed,
    path: '/courier-invoices/:id/not-billed',
    scope: 'operations:read',
    load: async () => (await import('./invoices/not-billed.tsx')).NotBilledScreen,
  },
  {
    path: '/webhooks',
    title: () => i18n.t('Webhooks'),
    group: 'Integration',
    icon: IconWebhook,
    scope: 'webhooks:read',
    load: async () => (await import('./webhooks/webhooks.tsx')).Webhooks,
  },
  {
    ...listed,
    path: '/webhooks/:id',
    scope: 'webhooks:read',
    load: async () => (await import('./webhooks/endpoint.tsx')).EndpointScreen,
  },
  {
    path: '/deliveries',
    title: () => i18n.t('Deliveries'),
    group: 'Integration',
    icon: IconSend,
    scope: 'webhooks:read',
    load: async () => (await import('./webhooks/deliveries.tsx')).Deliveries,
  },
  {
    ...listed,
    path: '/deliveries/:id',
    scope: 'webhooks:read',
    load: async () => (await import('./webhooks/delivery.tsx')).DeliveryScreen,
  },
  {
    path: '/sandbox',
    title: () => i18n.t('Sandbox'),
    group: 'Integration',
    icon: IconFlask,
    scope: null,
    load: async () => (await import('./sandbox/sandbox.tsx')).Sandbox,
  },
  {
    path: '/workspaces',
    title: () => i18n.t('Workspaces'),
    group: 'Setup',
    icon: IconBuildingStore,
    scope: 'workspaces:read',
    load: async () => (await import('./setup/workspaces.tsx')).Workspaces,
  },
  {
    ...listed,
    path: '/workspaces/:id',
    scope: 'workspaces:read',
    load: async () => (await import('./setup/workspace.tsx')).WorkspaceScreen,
  },
  {
    path: '/connections',
    title: () => i18n.t('Connections'),
    group: 'Setup',
    icon: IconPlugConnected,
    scope: 'connections:read',
    load: async () => (await import('./setup/connections.tsx')).Connections,
  },
  {
    ...listed,
    path: '/connections/:id',
    scope: 'connections:read',
    load: async () => (await import('./setup/connection.tsx')).ConnectionScreen,
  },
  {
    path: '/keys',
    title: () => i18n.t('API keys'),
    group: 'Setup',
    icon: IconKey,
    scope: 'workspaces:read',
    load: async () => (await import('./setup/keys.tsx')).Keys,
  },
  {
    ...listed,
    path: '/keys/:id',
    scope: 'workspaces:read',
    load: async () => (await import('./setup/key.tsx')).KeyScreen,
  },
  {
    path: '/operators',
    title: () => i18n.t('Operators'),
    group: 'Setup',
    icon: IconUsers,
    scope: 'operations:read',
    load: async () => (await import('./setup/operators.tsx')).Operators,
  },
  {
    ...listed,
    path: '/operators/:id',
    scope: 'operations:read',
    load: async () => (await import('./setup/operator.tsx')).OperatorScreen,
  },
  {
    path: '/health',
    title: () => i18n.t('Health'),
    group: 'Service',
    icon: IconActivityHeartbeat,
    scope: null,
    load: async () => (await import('./service/health.tsx')).Health,
  },
  {
    path: '/requests',
    title: () => i18n.t('Requests'),
    group: 'Integration',
    icon: IconList,
    scope: 'operations:read',
    load: async () => (await import('./service/requests.tsx')).Requests,
  },
  {
    ...listed,
    path: '/requests/:id',
    scope: 'operations:read',
    load: async () => (await import('./service/request.tsx')).RequestScreen,
  },
  {
    path: '/usage',
    title: () => i18n.t('Usage'),
    group: 'Service',
    icon: IconGauge,
    scope: null,
    load: async () => (await import('./service/usage.tsx')).UsageScreen,
  },
  {
    ...listed,
    path: '/objects/:id',
    scope: null,
    load: async () => (await import('./service/any-object.tsx')).AnyObject,
  },
]
