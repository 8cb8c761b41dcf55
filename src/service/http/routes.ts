import { keyRoutes } from './account/key-routes.ts'
import { usageRoutes } from './account/usage-routes.ts'
import { agencyRoutes } from './agencies/agency-routes.ts'
import { courierRoutes } from './agencies/courier-routes.ts'
import { packageProductRoutes } from './agencies/package-product-routes.ts'
import { auditEventRoutes } from './audit-events/audit-event-routes.ts'
import { batchRoutes } from './batches/batch-routes.ts'
import { courierConnectionRoutes } from './connections/connection-routes.ts'
import { courierInvoiceRoutes } from './courier-invoices/invoice-routes.ts'
import { ledgerRoutes } from './ledger/ledger-routes.ts'
import { operationRoutes } from './operations/operation-routes.ts'
import { operatorRoutes } from './operators/operator-routes.ts'
import { paperRoutes } from './papers/paper-routes.ts'
import { quoteRoutes } from './quotes/quote-routes.ts'
import { requestRoutes } from './requests/request-routes.ts'
import { sandboxRoutes } from './sandbox/sandbox-routes.ts'
import { searchRoutes } from './search/search-routes.ts'
import type { App, RouteDeps } from './server-deps.ts'
import { serviceHealthRoutes } from './service/service-health-routes.ts'
import { cancellationRoutes } from './shipments/cancellation-routes.ts'
import { documentRoutes } from './shipments/document-routes.ts'
import { erasureRoutes } from './shipments/erasure-routes.ts'
import { evidenceRoutes } from './shipments/evidence-routes.ts'
import { shipmentHoldRoutes } from './shipments/shipment-hold-routes.ts'
import { shipmentRoutes } from './shipments/shipment-routes.ts'
import { trackingRoutes } from './shipments/tracking-routes.ts'
import { courierStatisticsRoutes } from './statistics/courier-statistics-routes.ts'
import { creationStatisticsRoutes } from './statistics/creation-statistics-routes.ts'
import { operationStatisticsRoutes } from './statistics/operation-statistics-routes.ts'
import { reconciliationStatisticsRoutes } from './statistics/reconciliation-statistics-routes.ts'
import { webhookStatisticsRoutes } from './statistics/webhook-statistics-routes.ts'
import { webhookDeliveryRoutes } from './webhook-deliveries/webhook-delivery-routes.ts'
import { webhookEventRoutes } from './webhook-deliveries/webhook-event-routes.ts'
import { webhookEndpointRoutes } from './webhook-endpoints/webhook-endpoint-routes.ts'
import { workspaceHoldRoutes } from './workspaces/workspace-hold-routes.ts'
import { workspaceRoutes } from './workspaces/workspace-routes.ts'

/** Every route of `/v1`, in the order of the OpenAPI document. */
export const routes: readonly ((app: App, deps: RouteDeps) => void)[] = [
  workspaceRoutes,
  workspaceHoldRoutes,
  courierConnectionRoutes,
  courierRoutes,
  agencyRoutes,
  packageProductRoutes,
  keyRoutes,
  operatorRoutes,
  usageRoutes,
  webhookEndpointRoutes,
  webhookEventRoutes,
  webhookDeliveryRoutes,
  quoteRoutes,
  shipmentRoutes,
  batchRoutes,
  cancellationRoutes,
  erasureRoutes,
  shipmentHoldRoutes,
  trackingRoutes,
  documentRoutes,
  paperRoutes,
  evidenceRoutes,
  operationRoutes,
  courierInvoiceRoutes,
  ledgerRoutes,
  auditEventRoutes,
  operationStatisticsRoutes,
  creationStatisticsRoutes,
  reconciliationStatisticsRoutes,
  courierStatisticsRoutes,
  webhookStatisticsRoutes,
  requestRoutes,
  searchRoutes,
  sandboxRoutes,
  serviceHealthRoutes,
]
