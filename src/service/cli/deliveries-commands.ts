import type { Kysely } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import type { EventStore } from '../event-store/event-store.ts'
import {
  type DeliveryObject,
  deliveryObject,
  deliveryStates,
  listedDeliveries,
} from '../http/webhook-deliveries/webhook-delivery-schema.ts'
import { readClock } from '../processes/sandbox/workspace-clock.ts'
import { audit } from '../security/audit.ts'
import { type RedeliveryRefusal, redeliver, redeliveryRefusal } from '../webhooks/redelivery.ts'
import { type ActorOn, acting, asRecorded, by } from './acting.ts'
import { auditReads } from './audit-reads.ts'
import {
  type Command,
  CommandFailed,
  type CommandResult,
  columns,
  rowsMax,
  UsageError,
} from './command.ts'
import { ownerOf, requireEndpoint, requireOrganization } from './known.ts'

const listed = 100

export const deliveriesList: Command = {
  name: 'deliveries list',
  summary: 'Lists webhook deliveries, newest first.',
  flags: {
    state: {
      value: 'STATE',
      allowed: deliveryStates,
      description: `One of ${deliveryStates.join(', ')}; dead are the dead letters. Default: all.`,
    },
    org: { value: 'ORG', id: 'org', description: 'Only those of this organization (org_…).' },
    endpoint: { value: 'ENDPOINT', id: 'whe', description: 'Only those to this endpoint (whe_…).' },
    shipment: {
      value: 'SHIPMENT',
      id: 'shp',
      description: 'Only those about this shipment (shp_…).',
    },
    limit: { value: 'N', description: `How many, up to ${rowsMax}; ${listed} if left out.` },
    ...asRecorded,
  },
  examples: [
    'deliveries list --state dead',
    'deliveries list --endpoint whe_4Zb1cD2eF3gH4iJ5kL6mN7 --limit 10 --json',
  ],
  run: async (call) => {
    const { flags, open } = call
    const actorOn = acting(call)
    const limit = Number(flags.get('limit') ?? listed)
    if (!Number.isInteger(limit) || limit < 1 || limit > rowsMax) {
      throw new UsageError(`--limit must be a whole number from 1 to ${rowsMax}.`)
    }
    const { db, store } = await open()
    await requireNamed({ db, store }, flags)
    let rows = listedDeliveries(db)
    for (const [flag, column] of filters) {
      const value = flags.get(flag)
      if (value !== undefined) rows = rows.where(column, '=', value)
    }
    const found = await rows
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    const reads = found.map((row) => ({
      id: row.id,
      owner: {
        organizationId: row.organization_id,
        workspaceId: row.workspace_id,
        livemode: row.livemode,
      },
    }))
    await auditReads({ store, actorOn }, reads, (webhook_delivery_ids) => ({
      type: 'WebhookDeliveriesSeen',
      data: { webhook_delivery_ids },
    }))
    const data = found.map((row) => ({
      ...deliveryObject(row, null),
      organization_id: row.organization_id,
    }))
    const names = ['ID', 'EVENT', 'ENDPOINT', 'STATE', 'ATTEMPTS', 'LAST', 'NEXT', 'CREATED']
    return { json: { data }, text: columns([names, ...data.map(cells)]) }
  },
}

const filters = [
  ['state', 'state'],
  ['org', 'organization_id'],
  ['endpoint', 'endpoint_id'],
  ['shipment', 'shipment_id'],
] as const

type Stores = { readonly db: Kysely<Tables>; readonly store: EventStore }

/** Without this check, a wrong id would give an empty list. */
async function requireNamed(
  { db, store }: Stores,
  flags: ReadonlyMap<string, string>,
): Promise<void> {
  const [org, endpoint, shipment] = [flags.get('org'), flags.get('endpoint'), flags.get('shipment')]
  if (org !== undefined) await requireOrganization(db, org)
  if (endpoint !== undefined) await requireEndpoint(db, endpoint)
  if (shipment !== undefined) await ownerOf(store, shipment)
}

function cells(delivery: DeliveryObject): readonly string[] {
  const last = delivery.attempts.at(-1)
  return [
    delivery.id,
    delivery.event_type,
    delivery.endpoint_id,
    delivery.state,
    String(delivery.attempts.length),
    String(last?.error ?? last?.status_code ?? '-'),
    delivery.next_attempt_at ?? '-',
    delivery.created_at,
  ]
}

export const deliveriesRedeliver: Command = {
  name: 'deliveries redeliver',
  summary: 'Sends a delivery again, in any state.',
  subject: 'delivery id',
  subjectId: 'dlv',
  flags: asRecorded,
  examples: ['deliveries redeliver dlv_4Zb1cD2eF3gH4iJ5kL6mN7'],
  run: async (call) => {
    const actorOn = acting(call)
    const { db, store } = await call.open()
    return await redelivered({ db, store }, call.subject, actorOn)
  },
}

const refusals: Readonly<Record<RedeliveryRefusal, string>> = {
  endpoint_deleted: 'Its endpoint was deleted.',
  endpoint_disabled: 'Its endpoint is disabled. The owner can enable it.',
  attempts_exhausted: 'It has used all the attempts that a delivery may have.',
}

/** Uses the same function as the route. The act is recorded in the owner's audit. */
async function redelivered(
  { db, store }: Stores,
  id: string,
  actorOn: ActorOn,
): Promise<CommandResult> {
  const find = () => listedDeliveries(db).where('id', '=', id).executeTakeFirst()
  const row = await find()
  if (row === undefined) throw new CommandFailed(`There is no delivery ${id}.`)
  const refused = await redeliveryRefusal(db, id)
  if (refused !== null) throw new CommandFailed(refusals[refused])
  const { organization_id: organizationId, workspace_id: workspaceId, livemode } = row
  await audit(store, {
    ...(await by(actorOn, organizationId)),
    organizationId,
    workspaceId,
    livemode,
    type: 'WebhookRedelivered',
    data: { webhook_delivery_id: id },
  })
  const { now } = await readClock(db, { workspaceId, livemode })
  const outcome = await redeliver(db, id, new Date(now))
  if (outcome in refusals) throw new CommandFailed(refusals[outcome as RedeliveryRefusal])
  const delivery = deliveryObject((await find()) ?? row, null)
  const next = delivery.next_attempt_at ?? 'now'
  return { json: delivery, text: `${id} is ${delivery.state}: next attempt ${next}` }
}
