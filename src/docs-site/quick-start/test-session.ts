import { useEffect, useMemo, useState } from 'react'
import { createClient } from '../../client/create-client.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import type { Variables } from './sample-call.ts'

/** In sessionStorage, which ends with the tab and is not shared with other tabs. */
const storageName = 'shipping-ledger.docs-key'
const testKey = /^svc_test_[0-9A-Za-z]+$/
/** A user is waiting, so a call is retried at most once. */
const retry = { requestsMax: 2, totalMs: 15_000 }
/** Makes the orders of different visits distinct. */
const orderDigits = 6

export type TestSession = {
  /** Empty unless signed in. */
  readonly variables: Variables
  readonly isSignedIn: boolean
  readonly isEntering: boolean
  /** The workspace's clock is advancing, so other samples must wait. */
  readonly isAdvancing: boolean
  /** Why the last key was not accepted. */
  readonly refusal: string | null
  enter(apiKey: string): Promise<void>
  leave(): void
  keep(variables: Variables): void
  setAdvancing(isAdvancing: boolean): void
}

const none: Variables = {}

/** A test key stored in this tab, and the values of its organization that samples need. */
export function useTestSession(): TestSession {
  const [variables, setVariables] = useState<Variables>(none)
  const [isEntering, setEntering] = useState(false)
  const [isAdvancing, setAdvancing] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const session = useMemo(() => {
    const leave = () => {
      sessionStorage.removeItem(storageName)
      setVariables(none)
      setRefusal(null)
    }
    const enter = async (apiKey: string) => {
      setEntering(true)
      setRefusal(null)
      try {
        const opened = await open(apiKey)
        sessionStorage.setItem(storageName, apiKey)
        setVariables(opened)
      } catch (error) {
        leave()
        setRefusal(sentenceOf(error))
      } finally {
        setEntering(false)
      }
    }
    const keep = (kept: Variables) => setVariables((before) => ({ ...before, ...kept }))
    return { enter, leave, keep, setAdvancing }
  }, [])
  useEffect(() => {
    const kept = sessionStorage.getItem(storageName)
    if (kept !== null) void session.enter(kept)
  }, [session])
  const isSignedIn = variables !== none
  return { ...session, variables, isSignedIn, isEntering, isAdvancing, refusal }
}

/** Checks the key, and finds the workspace, connection, agencies and product to ship with. */
async function open(apiKey: string): Promise<Variables> {
  if (apiKey.startsWith('svc_live_')) {
    throw new Error('This is a live key. The samples only accept test keys: svc_test_….')
  }
  if (!testKey.test(apiKey)) {
    throw new Error(
      'This is not a test key. Test keys start with svc_test_, followed by letters and digits.',
    )
  }
  const client = createClient({ baseUrl: window.location.origin, apiKey, retry })
  await client.keys.get()
  const own = {
    SHIPPING_LEDGER_URL: window.location.origin,
    SHIPPING_LEDGER_KEY: apiKey,
    ORDER: `order-${crypto.randomUUID().replaceAll('-', '').slice(0, orderDigits)}`,
  }
  const { data: connections } = await client.courierConnections.list({ status: 'active', limit: 1 })
  const [connection] = connections
  if (connection === undefined) return own
  const of = { courier_connection_id: connection.id }
  const [agencies, products] = await Promise.all([
    client.couriers.listAgencies({ ...of, limit: 2 }),
    client.couriers.listPackageProducts({ ...of, limit: 1 }),
  ])
  const [origin, destination] = agencies.data
  const [product] = products.data
  return {
    ...own,
    WORKSPACE_ID: connection.workspace_id,
    CONNECTION_ID: connection.id,
    ...(origin === undefined ? {} : { ORIGIN_ID: origin.id }),
    ...(destination === undefined ? {} : { DESTINATION_ID: destination.id }),
    ...(product === undefined ? {} : { PRODUCT_ID: product.id }),
  }
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof ShippingLedgerError)) return String(error).replace(/^Error: /, '')
  return error.reason === 'unauthenticated'
    ? 'This key is not accepted. It may be mistyped, revoked or expired.'
    : `The service answered ${error.reason}. Try again.`
}
