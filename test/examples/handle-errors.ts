import { createClient, ShippingLedgerError } from 'shipping-ledger/client'

const client = createClient({
  baseUrl: process.env.SHIPPING_LEDGER_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.SHIPPING_LEDGER_KEY ?? '',
})

try {
  await client.workspaces.create({ name: '', external_reference: 'my-shop' })
} catch (error) {
  if (!(error instanceof ShippingLedgerError)) throw error
  switch (error.action) {
    case 'same_key':
      console.log(`send it again, with the key ${error.idempotencyKey}`)
      break
    case 'follow':
      // The guide may exist: follow it, never create again.
      console.log(await client.waitForOperation(error.operationId ?? ''))
      break
    case 'new_key':
      console.log('nothing was created: do it again, with a new key')
      break
    case 'fix':
      for (const { pointer, reason } of error.errors) console.log(`${pointer}: ${reason}`)
      break
    default:
      // A person, for example somebody with a key that has the scope, or with the account.
      console.log(error.message, error.requestId)
  }
}
