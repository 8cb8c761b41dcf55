import { useMemo, useState, useSyncExternalStore } from 'react'
import { useSession } from '../session.tsx'

/**
 * An order that was sent and whose answer has not arrived. It outlives the tab and the session, or
 * the order would be entered again under another key and shipped twice. So it has nothing about a
 * person: the API stores the reference unencrypted too, and asks for one without personal data.
 */
export type UnansweredOrder = {
  readonly key: string
  readonly organizationId: string
  readonly livemode: boolean
  readonly workspaceId: string
  readonly reference: string
  /** When it was sent, in milliseconds. */
  readonly at: number
}

/** More than one person leaves unanswered. The oldest goes first. */
const ordersMax = 20
/** A long weekend with its holidays. Later, an order that was not sent has been missed. */
const keptMs = 7 * 24 * 60 * 60_000
/** Each order has an item of its own, so that two tabs do not overwrite each other's. */
const prefix = 'shipping-ledger.unanswered.'

const listeners = new Set<() => void>()

export function rememberOrder(sent: Omit<UnansweredOrder, 'at'>): void {
  const order: UnansweredOrder = { ...sent, at: Date.now() }
  const others = ordersIn(storedTexts()).filter(({ key }) => key !== order.key)
  for (const { key } of others.slice(ordersMax - 1)) localStorage.removeItem(prefix + key)
  try {
    localStorage.setItem(prefix + order.key, JSON.stringify(order))
  } catch {
    // The storage is full. The order is sent all the same, as its tab still knows it.
  }
  for (const listener of listeners) listener()
}

export function forgetOrder(key: string): void {
  localStorage.removeItem(prefix + key)
  for (const listener of listeners) listener()
}

/** Removes those that are too old, whoever sent them. */
export function forgetOldOrders(): void {
  for (const name of storedNames()) {
    if (orderIn(localStorage.getItem(name) ?? '') === null) localStorage.removeItem(name)
  }
}

/**
 * The orders that the session's key may know of, except this screen's own. `listed` are those whose
 * outcome no tab knows. `seen` were listed since the screen was opened: whoever enters one of them
 * again may not have noticed what became of it meanwhile.
 */
export function useUnansweredOrders(isOwn: (key: string) => boolean) {
  const listed = useStoredOrders().filter(({ key }) => !isOwn(key))
  const [seen, setSeen] = useState<readonly UnansweredOrder[]>([])
  const unseen = listed.filter(({ key }) => !seen.some((order) => order.key === key))
  if (unseen.length > 0) setSeen([...seen, ...unseen].sort(newestFirst))
  return {
    listed,
    seen,
    /** It will be another order if it is entered again. */
    drop(dropped: string) {
      forgetOrder(dropped)
      setSeen((before) => before.filter(({ key }) => key !== dropped))
    },
  }
}

function useStoredOrders(): readonly UnansweredOrder[] {
  const { key } = useSession()
  const texts = useSyncExternalStore(subscribe, storedTexts)
  return useMemo(
    () =>
      ordersIn(texts).filter(
        ({ organizationId, livemode, workspaceId }) =>
          organizationId === key.organization_id &&
          livemode === key.livemode &&
          (key.workspace_id === null || workspaceId === key.workspace_id),
      ),
    [texts, key],
  )
}

/** The newest that may be the same order, as it has the same reference. They are newest first. */
export function sameOrder(
  orders: readonly UnansweredOrder[],
  workspaceId: string,
  reference: string,
): UnansweredOrder | null {
  const wanted = reference.trim().normalize('NFC')
  const isSame = (order: UnansweredOrder) =>
    order.workspaceId === workspaceId && order.reference.normalize('NFC') === wanted
  return orders.find(isSame) ?? null
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Other tabs.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** All orders as one text, which is the same as long as nothing changes. */
function storedTexts(): string {
  return storedNames()
    .map((name) => localStorage.getItem(name))
    .join('\n')
}

function storedNames(): readonly string[] {
  return Object.keys(localStorage)
    .filter((name) => name.startsWith(prefix))
    .sort()
}

function ordersIn(texts: string): readonly UnansweredOrder[] {
  const orders = texts.split('\n').flatMap((text) => orderIn(text) ?? [])
  return orders.sort(newestFirst)
}

export function ageMs({ at }: Pick<UnansweredOrder, 'at'>): number {
  return Date.now() - at
}

function newestFirst(one: UnansweredOrder, other: UnansweredOrder): number {
  return other.at - one.at
}

/** Null if it is no order or too old. */
function orderIn(text: string): UnansweredOrder | null {
  try {
    const order = JSON.parse(text) as Partial<Record<keyof UnansweredOrder, unknown>>
    const { at, key, organizationId, workspaceId, reference } = order
    const texts = [key, organizationId, workspaceId, reference]
    const isOrder = typeof at === 'number' && texts.every((each) => typeof each === 'string')
    return isOrder && ageMs({ at }) < keptMs ? (order as UnansweredOrder) : null
  } catch {
    return null
  }
}
