/*
 * `shipping-ledger/client`: the one file here that hands on what others define, because a package
 * has one door.
 */
export { createClient } from "./create-client.js";
export { ShippingLedgerError } from "./shipping-ledger-error.js";
export { verifyWebhook, WebhookRefused, } from "./verify-webhook.js";
