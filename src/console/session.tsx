import { i18n } from '@lingui/core'
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
import { arrival, askForAccount } from './account-sign-in.ts'
import { isAway, useRecovery } from './reading/use-recovery.ts'

/**
 * The current session. The key itself is only in the client and, if the user chose so, in this
 * tab's storage.
 */
type Session = {
  readonly client: Client
  /** The same client without retries, to show each answer of a scenario. */
  readonly single: Client
  readonly key: Schemas['ApiKey']
  /** Input that was not sent yet. Never stored, because it may contain personal data. */
  readonly drafts: Map<string, unknown>
}

type Refusal = {
  readonly sentence: string
  /** The service could not be reached, so the same key may open a session soon. */
  readonly isAway: boolean
}

type Entry = {
  readonly session: Session | null
  /** True while a key is being checked. */
  readonly isEntering: boolean
  /** Why the session ended, or why the last key did not open one. */
  readonly refusal: Refusal | null
  /** A stored key exists that neither opened a session nor was refused. */
  readonly isKept: boolean
  /** Checks a key, and sets either the session or the refusal. */
  enter(apiKey: string, keepInTab: boolean): Promise<void>
  /** Checks the key in this tab's storage. */
  enterAgain(): void
  leave(): void
}

/** In sessionStorage, which ends with the tab and is not shared with other tabs. */
const storageName = 'shipping-ledger.key'
/**
 * Announces a sign-out to other tabs, because a tab opened from another one has a copy of its
 * storage.
 */
const leaving = new BroadcastChannel('shipping-ledger.leaving')
const keyForm = /^svc_(test|live)_[0-9A-Za-z]+$/
/** A user is waiting, so a call is retried at most once, and then the page shows the error. */
const retry = { requestsMax: 2, totalMs: 15_000 }
/** How long data counts as fresh when a screen is opened again. */
const staleAfterMs = 2_000

const EntryContext = createContext<Entry | null>(null)

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [session, setSession] = useState<Session | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [kept, setKept] = useState(keptKey)
  const [isEntering, setEntering] = useState(kept !== null)
  /** Counts sign-ins, so that the response to an earlier one is ignored. */
  const entries = useRef(0)
  const isSignedIn = useRef(false)

  const queries = useMemo(() => {
    const onError = (error: Error) => {
      if (!isUnauthenticated(error)) return
      leave()
      const sentence = isSignedIn.current
        ? i18n.t('Your session has ended. Sign in again.')
        : i18n.t('The key is no longer accepted. It was revoked or has expired.')
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
        isSignedIn.current = opened.key.from_sign_in
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
      void endSignIn(session).then((why) => why === null || setRefusal(why))
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

/** A new sign-in replaces the key that the tab had. */
function keptKey(): string | null {
  return arrival?.kind === 'code' ? null : sessionStorage.getItem(storageName)
}

/** Revokes the key of a sign-in. Returns what the person must know if that failed. */
async function endSignIn(session: Session | null): Promise<Refusal | null> {
  if (session?.key.from_sign_in !== true) return null
  const { client, key } = session
  askForAccount()
  try {
    await client.keys.revoke({ id: key.id })
    return null
  } catch (error) {
    // It has ended by itself.
    if (isUnauthenticated(error)) return null
    const sentence = i18n.t(
      'You are signed out in this tab, but the service could not be reached to revoke your key, which ends at {time}.',
      { time: key.expires_at ?? '' },
    )
    return { sentence, isAway: false }
  }
}

function queryClient(onError: (error: Error) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // Ignores the browser's online state: a failing call shows the problem.
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

/** Removes a refused key from the storage. Returns whether it was stored. */
function forget(apiKey: string): boolean {
  const isKept = apiKey === sessionStorage.getItem(storageName)
  if (isKept) sessionStorage.removeItem(storageName)
  return isKept
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof ShippingLedgerError && error.reason === 'unauthenticated'
}

async function open(apiKey: string): Promise<Session> {
  if (!keyForm.test(apiKey)) {
    throw new Error(
      i18n.t(
        'This is not an API key. Keys start with svc_test_ or svc_live_, followed by letters and digits.',
      ),
    )
  }
  const settings = { baseUrl: window.location.origin, apiKey, retry }
  const client = createClient(settings)
  const single = createClient({ ...settings, retry: { ...retry, requestsMax: 1 } })
  return { client, single, key: await client.keys.get(), drafts: new Map() }
}

function refusalOf(error: unknown): string {
  if (error instanceof TypeError) return i18n.t('A live key can only be used over https.')
  if (!(error instanceof ShippingLedgerError)) return String(error).replace(/^Error: /, '')
  if (isUnauthenticated(error)) {
    return i18n.t('This key is not accepted. It may be mistyped, revoked or expired.')
  }
  const { reason } = error
  return isAway(error)
    ? i18n.t(
        'The service could not be reached ({reason}). This page tries again every few seconds.',
        { reason },
      )
    : i18n.t('The service could not be reached ({reason}). Try again.', { reason })
}

export function useEntry(): Entry {
  const entry = useContext(EntryContext)
  if (entry === null) throw new Error('bug: outside of the SessionProvider')
  return entry
}

/** The current session. Use it only below the sign-in. */
export function useSession(): Session {
  const { session } = useEntry()
  if (session === null) throw new Error('bug: there is no session')
  return session
}
