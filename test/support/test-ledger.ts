import { randomBytes } from 'node:crypto'

/**
 * Where a test stores its ledger: in its own database, or in a namespace of its own on the server
 * of EVENT_STORE_URL.
 */
export type TestLedger = {
  readonly eventStoreUrl: string | undefined
  readonly eventStoreNamespace: string
}

export function testLedger(): TestLedger {
  const eventStoreUrl = process.env.EVENT_STORE_URL || undefined
  const namespace = eventStoreUrl === undefined ? '' : `test-${randomBytes(8).toString('hex')}`
  return { eventStoreUrl, eventStoreNamespace: namespace }
}

/** The same as environment variables of a process. */
export function ledgerEnvironment(ledger: TestLedger): Record<string, string> {
  if (ledger.eventStoreUrl === undefined) return {}
  return {
    EVENT_STORE_URL: ledger.eventStoreUrl,
    EVENT_STORE_NAMESPACE: ledger.eventStoreNamespace,
  }
}
