import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type Client, createClient } from '../client/create-client.ts'
import type { Schemas } from '../client/methods.ts'
import { ShippingLedgerError } from '../client/shipping-ledger-error.ts'
import { isAway, useRecovery } from './parts/recovery.ts'

/** Who has entered. The key itself is in the client and, if that was chosen, in this tab's storage. */
export type Session = {
  readonly client: Client
  /** The same, which repeats nothing: for who wants to see each answer of a scenario. */
  readonly single: Client
  readonly key: Schemas['ApiKey']
}

type Refusal = {
  readonly sentence: string
  /** The service could not be asked, so the same key may open a session soon. */
  readonly isAway: boolean
}

type Entry = {
  readonly session: Session | null
  /** A key is being tried. */
  readonly isEntering: boolean
  /** Why there is no session any more, or why the last key did not open one. */
  readonly refusal: Refusal | null
  /** A key of this tab's storage opened nothing, and nobody has said that it does not hold. */
  readonly isKept: boolean
  /** Tries a key. There is a session then, or a refusal. */
  enter(apiKey: string, keepInTab: boolean): Promise<void>
  /** Tries the key of this tab's storage. */
  enterAgain(): void
  leave(): void
}

/** Of sessionStorage: it ends with the tab and no other tab sees it. */
const storageName = 'shipping-ledger.key'
/** Which key has left: a tab that was opened from another one has a copy of what that one keeps. */
const leaving = new BroadcastChannel('shipping-ledger.leaving')
const keyForm = /^svc_(test|live)_[0-9A-Za-z]+$/
const notAKey = 'This is not an API key: one is svc_test_ or svc_live_, then letters and digits.'
/** A person waits: a call is repeated once at the most, and the page says what went wrong. */
const retry = { requestsMax: 2, totalMs: 15_000 }
/** What was read is good for this long when a screen is opened again. */
const staleAfterMs = 2_000

const EntryContext = createContext<Entry | null>(null)

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [session, setSession] = useState<Session | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [kept, setKept] = useState(() => sessionStorage.getItem(storageName))
  const [isEntering, setEntering] = useState(kept !== null)
  /** Counts entries: an answer to an earlier one opens nothing any more. */
  const entries = useRef(0)

  const queries = useMemo(() => {
    const onError = (error: Error) => {
      if (!isUnauthenticated(error)) return
      leave()
      const sentence = 'The key is not accepted any more: it was revoked or has expired.'
      setRefusal({ sentence, isAway: false })
    }
    const leave = () => {
      entries.current++
      sessionStorage.removeItem(storageName)
      setEntering(false)
      setKept(null)
      setSession(null)
      setRefusal(null)
      made.clear()
    }
    const made = queryClient(onError)
    return { made, leave }
  }, [])

  const entry = useMemo<Entry>(() => {
    const enter = async (apiKey: string, keepInTab: boolean) => {
      const entered = ++entries.current
      setEntering(true)
      setRefusal((last) => (last?.isAway ? last : null))
      try {
        const opened = await open(apiKey)
        if (entered !== entries.current) return
        queries.made.clear()
        if (keepInTab) sessionStorage.setItem(storageName, apiKey)
        else sessionStorage.removeItem(storageName)
        setKept(null)
        setRefusal(null)
        setSession(opened)
      } catch (error) {
        if (entered !== entries.current) return
        if (isUnauthenticated(error) && forget(apiKey)) setKept(null)
        setRefusal({ sentence: refusalOf(error), isAway: isAway(error) })
      } finally {
        if (entered === entries.current) setEntering(false)
      }
    }
    const enterAgain = () => {
      if (kept !== null) void enter(kept, true)
    }
    const leave = () => {
      if (session !== null) leaving.postMessage(session.key.id)
      queries.leave()
    }
    return { session, isEntering, refusal, isKept: kept !== null, enter, enterAgain, leave }
  }, [session, isEntering, refusal, kept, queries])

  useEffect(entry.enterAgain, [])
  useRecovery(queries.made)
  useLeaving(session?.key.id ?? null, queries.leave)

  return (
    <EntryContext value={entry}>
      <QueryClientProvider client={queries.made}>{children}</QueryClientProvider>
    </EntryContext>
  )
}

function queryClient(onError: (error: Error) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // What the browser believes of its network is not asked: a call that fails says so.
    defaultOptions: {
      queries: { retry: false, staleTime: staleAfterMs, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
}

function useLeaving(keyId: string | null, leave: () => void): void {
  useEffect(() => {
    const listen = ({ data }: MessageEvent) => {
      if (data === keyId) leave()
    }
    leaving.addEventListener('message', listen)
    return () => leaving.removeEventListener('message', listen)
  }, [keyId, leave])
}

/** A key that is not accepted is not kept any longer. Answers whether it was. */
function forget(apiKey: string): boolean {
  const isKept = apiKey === sessionStorage.getItem(storageName)
  if (isKept) sessionStorage.removeItem(storageName)
  return isKept
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof ShippingLedgerError && error.reason === 'unauthenticated'
}

async function open(apiKey: string): Promise<Session> {
  if (!keyForm.test(apiKey)) throw new Error(notAKey)
  const settings = { baseUrl: window.location.origin, apiKey, retry }
  const client = createClient(settings)
  const single = createClient({ ...settings, retry: { ...retry, requestsMax: 1 } })
  return { client, single, key: await client.keys.get() }
}

function refusalOf(error: unknown): string {
  if (error instanceof TypeError) return 'A live key is entered over https only.'
  if (!(error instanceof ShippingLedgerError)) return String(error).replace(/^Error: /, '')
  if (isUnauthenticated(error)) {
    return 'This key is not accepted. It may be mistyped, revoked or expired.'
  }
  const then = isAway(error) ? 'This page tries again every few seconds.' : 'Try again.'
  return `The service could not be asked (${error.reason}). ${then}`
}

export function useEntry(): Entry {
  const entry = useContext(EntryContext)
  if (entry === null) throw new Error('bug: outside of the SessionProvider')
  return entry
}

/** Of who has entered; only below the entry. */
export function useSession(): Session {
  const { session } = useEntry()
  if (session === null) throw new Error('bug: nobody has entered')
  return session
}
