import type { Client } from '../create-client.ts'
import type { Schemas } from '../methods.ts'
import { CommandFailed } from './command-line.ts'

type Event = Schemas['WebhookEvent']

/** An event may become visible this much later than an event that was recorded after it. */
const overlapMs = 60_000
const pageMax = 100
/** The most events of one read. To replay more, use `recover` of the API. */
const eventsMax = 5_000
/** More than one read returns, so that the overlap is remembered. */
const rememberedMax = 2 * eventsMax

type Asked = {
  readonly workspaceId: string
  /** Types, and families like `tracking.*`; empty = all. */
  readonly types: readonly string[]
  /** Also events that were created since then; null = only new events. */
  readonly since: string | null
}

/**
 * Returns a function that reads the workspace's events: each call returns the new ones, in order.
 */
export async function newEvents(client: Client, asked: Asked): Promise<() => Promise<Event[]>> {
  const { workspaceId, since } = asked
  /** The newest ids, oldest first. */
  const remembered = new Set<string>()
  const newest = (await client.webhookEvents.list({ workspace_id: workspaceId, limit: 1 })).data[0]
  let latest = newest?.created_at ?? null
  const remember = (events: readonly Event[]) => {
    for (const { id, created_at: at } of events) {
      remembered.add(id)
      if (latest === null || at > latest) latest = at
    }
    for (const id of remembered) {
      if (remembered.size <= rememberedMax) break
      remembered.delete(id)
    }
  }
  if (since === null) remember(await readSince(client, workspaceId, overlapBefore(latest)))
  let from = since ?? overlapBefore(latest)
  return async () => {
    const events = await readSince(client, workspaceId, from)
    const fresh = events.filter(({ id }) => !remembered.has(id))
    remember(fresh)
    from = overlapBefore(latest)
    return fresh.filter(({ type }) => isWantedType(type, asked.types)).toReversed()
  }
}

function overlapBefore(at: string | null): string | null {
  return at === null ? null : new Date(Date.parse(at) - overlapMs).toISOString()
}

/** Newest first. */
async function readSince(client: Client, workspaceId: string, from: string | null) {
  const query = {
    workspace_id: workspaceId,
    limit: pageMax,
    ...(from === null ? {} : { 'created_at[gte]': from }),
  }
  const events: Event[] = []
  for (let cursor: string | null = null; ; ) {
    const page = await client.webhookEvents.list(cursor === null ? query : { ...query, cursor })
    events.push(...page.data)
    cursor = page.next_cursor
    if (cursor === null) return events
    if (events.length >= eventsMax) {
      throw new CommandFailed(`There are more than ${eventsMax} events since ${from}.`)
    }
  }
}

function isWantedType(type: string, types: readonly string[]): boolean {
  if (types.length === 0) return true
  return types.some((one) =>
    one.endsWith('.*') ? type.startsWith(one.slice(0, -1)) : one === type,
  )
}
