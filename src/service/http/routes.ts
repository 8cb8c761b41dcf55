import { createKeyRoute } from './account/create-key.ts'
import { getKeyRoute } from './account/get-key.ts'
import { getKeyByIdRoute } from './account/get-key-by-id.ts'
import { getUsageRoute } from './account/get-usage.ts'
import { listKeysRoute } from './account/list-keys.ts'
import { revokeKeyRoute } from './account/revoke-key.ts'
import { rollKeyRoute } from './account/roll-key.ts'
import { getAgencyRoute } from './agencies/get-agency.ts'
import { listAgenciesRoute } from './agencies/list-agencies.ts'
import { listCouriersRoute } from './agencies/list-couriers.ts'
import { listPackageProductsRoute } from './agencies/list-package-products.ts'
import type { ApiServices, App } from './api-services.ts'
import { getAuditEventRoute } from './audit-events/get-audit-event.ts'
import { listAuditEventsRoute } from './audit-events/list-audit-events.ts'
import { cancelBatchRoute } from './batches/cancel-batch.ts'
import { createBatchRoute } from './batches/create-batch.ts'
import { getBatchRoute } from './batches/get-batch.ts'
import { getBatchLabelsRoute } from './batches/get-batch-labels.ts'
import { getBatchManifestRoute } from './batches/get-batch-manifest.ts'
import { listBatchItemsRoute } from './batches/list-batch-items.ts'
import { listBatchesRoute } from './batches/list-batches.ts'
import { createCourierConnectionRoute } from './connections/create-courier-connection.ts'
import { deleteCourierConnectionRoute } from './connections/delete-courier-connection.ts'
import { getCourierConnectionRoute } from './connections/get-courier-connection.ts'
import { listCourierConnectionsRoute } from './connections/list-courier-connections.ts'
import { updateCourierConnectionRoute } from './connections/update-courier-connection.ts'
import { verifyCourierConnectionRoute } from './connections/verify-courier-connection.ts'
import { compareCourierInvoiceRoute } from './courier-invoices/compare-courier-invoice.ts'
import { createCourierInvoiceRoute } from './courier-invoices/create-courier-invoice.ts'
import { decideCourierInvoiceLineRoute } from './courier-invoices/decide-courier-invoice-line.ts'
import { downloadCourierInvoiceLinesRoute } from './courier-invoices/download-courier-invoice-lines.ts'
import { fetchCourierInvoiceRoute } from './courier-invoices/fetch-courier-invoice.ts'
import { getCourierInvoiceRoute } from './courier-invoices/get-courier-invoice.ts'
import { getCourierInvoiceClaimRoute } from './courier-invoices/get-courier-invoice-claim.ts'
import { getCourierInvoiceEvidenceRoute } from './courier-invoices/get-courier-invoice-evidence.ts'
import { listCourierInvoiceLinesRoute } from './courier-invoices/list-courier-invoice-lines.ts'
import { listCourierInvoicesRoute } from './courier-invoices/list-courier-invoices.ts'
import { listGuidesNotBilledRoute } from './courier-invoices/list-guides-not-billed.ts'
import { listInvalidInvoiceLinesRoute } from './courier-invoices/list-invalid-invoice-lines.ts'
import { listShipmentInvoiceLinesRoute } from './courier-invoices/list-shipment-invoice-lines.ts'
import { withdrawCourierInvoiceRoute } from './courier-invoices/withdraw-courier-invoice.ts'
import { printLabelsRoute } from './documents/print-labels.ts'
import { printManifestRoute } from './documents/print-manifest.ts'
import { getLedgerCheckpointRoute } from './ledger/get-ledger-checkpoint.ts'
import { getLedgerConsistencyRoute } from './ledger/get-ledger-consistency.ts'
import { getLedgerProofRoute } from './ledger/get-ledger-proof.ts'
import { listLedgerKeysRoute } from './ledger/list-ledger-keys.ts'
import { assignOperationRoute } from './operations/assign-operation.ts'
import { createOperationCommentRoute } from './operations/create-operation-comment.ts'
import { getOperationRoute } from './operations/get-operation.ts'
import { listOperationCommentsRoute } from './operations/list-operation-comments.ts'
import { listOperationGuideScansRoute } from './operations/list-operation-guide-scans.ts'
import { listOperationGuidesRoute } from './operations/list-operation-guides.ts'
import { listOperationsRoute } from './operations/list-operations.ts'
import { lookAtOperationRoute } from './operations/look-at-operation.ts'
import { resolveOperationRoute } from './operations/resolve-operation.ts'
import { snoozeOperationRoute } from './operations/snooze-operation.ts'
import { createOperatorRoute } from './operators/create-operator.ts'
import { getOperatorRoute } from './operators/get-operator.ts'
import { listOperatorsRoute } from './operators/list-operators.ts'
import { updateOperatorRoute } from './operators/update-operator.ts'
import { createQuoteRoute } from './quotes/create-quote.ts'
import { getQuoteRoute } from './quotes/get-quote.ts'
import { getRequestRoute } from './requests/get-request.ts'
import { listRequestsRoute } from './requests/list-requests.ts'
import { advanceSandboxClockRoute } from './sandbox/advance-sandbox-clock.ts'
import { getSandboxClockRoute } from './sandbox/get-sandbox-clock.ts'
import { listSandboxScenariosRoute } from './sandbox/list-sandbox-scenarios.ts'
import { findByTextRoute } from './search/find-by-text.ts'
import { getHealthRoute } from './service/get-health.ts'
import { cancelShipmentRoute } from './shipments/cancel-shipment.ts'
import { createShipmentRoute } from './shipments/create-shipment.ts'
import { erasePersonalDataRoute } from './shipments/erase-personal-data.ts'
import { getLabelRoute } from './shipments/get-label.ts'
import { getShipmentRoute } from './shipments/get-shipment.ts'
import { getShipmentEvidenceRoute } from './shipments/get-shipment-evidence.ts'
import { getTrackingRoute } from './shipments/get-tracking.ts'
import { liftShipmentHoldRoute } from './shipments/lift-shipment-hold.ts'
import { listDocumentsRoute } from './shipments/list-documents.ts'
import { listShipmentEventsRoute } from './shipments/list-shipment-events.ts'
import { listShipmentsRoute } from './shipments/list-shipments.ts'
import { placeShipmentHoldRoute } from './shipments/place-shipment-hold.ts'
import { refreshTrackingRoute } from './shipments/refresh-tracking.ts'
import { rollTrackingLinkRoute } from './shipments/roll-tracking-link.ts'
import { countCourierCallsRoute } from './statistics/count-courier-calls.ts'
import { countCreationsRoute } from './statistics/count-creations.ts'
import { countOperationsRoute } from './statistics/count-operations.ts'
import { countReconciliationsRoute } from './statistics/count-reconciliations.ts'
import { countWebhookAttemptsRoute } from './statistics/count-webhook-attempts.ts'
import { getWebhookDeliveryRoute } from './webhook-deliveries/get-webhook-delivery.ts'
import { getWebhookEventRoute } from './webhook-deliveries/get-webhook-event.ts'
import { listWebhookDeliveriesRoute } from './webhook-deliveries/list-webhook-deliveries.ts'
import { listWebhookEventsRoute } from './webhook-deliveries/list-webhook-events.ts'
import { redeliverWebhookDeliveryRoute } from './webhook-deliveries/redeliver-webhook-delivery.ts'
import { countRecoverableWebhookEndpointRoute } from './webhook-endpoints/count-recoverable-webhook-endpoint.ts'
import { createWebhookEndpointRoute } from './webhook-endpoints/create-webhook-endpoint.ts'
import { deleteWebhookEndpointRoute } from './webhook-endpoints/delete-webhook-endpoint.ts'
import { getWebhookEndpointRoute } from './webhook-endpoints/get-webhook-endpoint.ts'
import { listWebhookEndpointsRoute } from './webhook-endpoints/list-webhook-endpoints.ts'
import { recoverWebhookEndpointRoute } from './webhook-endpoints/recover-webhook-endpoint.ts'
import { rotateWebhookEndpointSecretRoute } from './webhook-endpoints/rotate-webhook-endpoint-secret.ts'
import { testWebhookEndpointRoute } from './webhook-endpoints/test-webhook-endpoint.ts'
import { updateWebhookEndpointRoute } from './webhook-endpoints/update-webhook-endpoint.ts'
import { createWorkspaceRoute } from './workspaces/create-workspace.ts'
import { getWorkspaceRoute } from './workspaces/get-workspace.ts'
import { liftWorkspaceHoldRoute } from './workspaces/lift-workspace-hold.ts'
import { listWorkspacesRoute } from './workspaces/list-workspaces.ts'
import { placeWorkspaceHoldRoute } from './workspaces/place-workspace-hold.ts'
import { updateWorkspaceRoute } from './workspaces/update-workspace.ts'

/** Every route of `/v1`, in the order of the OpenAPI document. */
export const routes: readonly ((app: App, deps: ApiServices) => unknown)[] = [
  createWorkspaceRoute,
  listWorkspacesRoute,
  getWorkspaceRoute,
  updateWorkspaceRoute,
  placeWorkspaceHoldRoute,
  liftWorkspaceHoldRoute,
  createCourierConnectionRoute,
  listCourierConnectionsRoute,
  getCourierConnectionRoute,
  updateCourierConnectionRoute,
  deleteCourierConnectionRoute,
  verifyCourierConnectionRoute,
  listCouriersRoute,
  listAgenciesRoute,
  getAgencyRoute,
  listPackageProductsRoute,
  getKeyRoute,
  createKeyRoute,
  listKeysRoute,
  getKeyByIdRoute,
  rollKeyRoute,
  revokeKeyRoute,
  createOperatorRoute,
  listOperatorsRoute,
  getOperatorRoute,
  updateOperatorRoute,
  getUsageRoute,
  createWebhookEndpointRoute,
  listWebhookEndpointsRoute,
  getWebhookEndpointRoute,
  updateWebhookEndpointRoute,
  deleteWebhookEndpointRoute,
  rotateWebhookEndpointSecretRoute,
  testWebhookEndpointRoute,
  recoverWebhookEndpointRoute,
  countRecoverableWebhookEndpointRoute,
  listWebhookEventsRoute,
  getWebhookEventRoute,
  listWebhookDeliveriesRoute,
  getWebhookDeliveryRoute,
  redeliverWebhookDeliveryRoute,
  createQuoteRoute,
  getQuoteRoute,
  createShipmentRoute,
  listShipmentsRoute,
  getShipmentRoute,
  listShipmentEventsRoute,
  cancelShipmentRoute,
  erasePersonalDataRoute,
  placeShipmentHoldRoute,
  liftShipmentHoldRoute,
  getTrackingRoute,
  refreshTrackingRoute,
  rollTrackingLinkRoute,
  listDocumentsRoute,
  getLabelRoute,
  printLabelsRoute,
  printManifestRoute,
  getShipmentEvidenceRoute,
  listOperationsRoute,
  getOperationRoute,
  lookAtOperationRoute,
  resolveOperationRoute,
  assignOperationRoute,
  snoozeOperationRoute,
  createOperationCommentRoute,
  listOperationCommentsRoute,
  listOperationGuidesRoute,
  listOperationGuideScansRoute,
  getLedgerCheckpointRoute,
  getLedgerProofRoute,
  getLedgerConsistencyRoute,
  listLedgerKeysRoute,
  listAuditEventsRoute,
  getAuditEventRoute,
  countOperationsRoute,
  countCreationsRoute,
  countReconciliationsRoute,
  countCourierCallsRoute,
  countWebhookAttemptsRoute,
  listRequestsRoute,
  getRequestRoute,
  findByTextRoute,
  listSandboxScenariosRoute,
  getSandboxClockRoute,
  advanceSandboxClockRoute,
  getHealthRoute,
  createBatchRoute,
  listBatchesRoute,
  getBatchRoute,
  listBatchItemsRoute,
  getBatchLabelsRoute,
  getBatchManifestRoute,
  cancelBatchRoute,
  createCourierInvoiceRoute,
  listCourierInvoicesRoute,
  fetchCourierInvoiceRoute,
  getCourierInvoiceRoute,
  compareCourierInvoiceRoute,
  withdrawCourierInvoiceRoute,
  listCourierInvoiceLinesRoute,
  listShipmentInvoiceLinesRoute,
  downloadCourierInvoiceLinesRoute,
  listInvalidInvoiceLinesRoute,
  decideCourierInvoiceLineRoute,
  getCourierInvoiceClaimRoute,
  getCourierInvoiceEvidenceRoute,
  listGuidesNotBilledRoute,
]
