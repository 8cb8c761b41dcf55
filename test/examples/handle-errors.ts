import { createClient, ShippingLedgerError } from 'shipping-ledger/client'

const client = createClient({
  baseUrl: process.env.SHIPPING_LEDGER_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.SHIPPING_LEDGER_KEY ?? '',
})

try {
  await client.workspaces.create({ name: '', external_reference: 'my-shop' })
} catch (error) {
  if (!(error instanceof ShippingLedgerError)) throw error
  switch (error.reason) {
    case 'unknown_outcome':
      // The guide may exist: follow it, never create again.
      console.log(await client.waitForOperation(error.operationId ?? ''))
      break
    case 'validation_failed':
      for (const { pointer, reason } of error.errors) console.log(`${pointer}: ${reason}`)
      break
    default:
      // New reasons may appear. What matters is what this request did.
      console.log(error.reason, error.outcome, error.retryable, error.requestId)
  }
}
