import { randomBytes } from 'node:crypto'

/**
 * Where a test keeps its ledger: in its own database, or, when EVENT_STORE_URL names a server, in a
 * namespace of its own there.
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

/** The same for a process that is started. */
export function ledgerEnvironment(ledger: TestLedger): Record<string, string> {
  if (ledger.eventStoreUrl === undefined) return {}
  return {
    EVENT_STORE_URL: ledger.eventStoreUrl,
    EVENT_STORE_NAMESPACE: ledger.eventStoreNamespace,
  }
}
