import type { Kysely } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import { shipmentStream } from '../domain/ids.ts'
import { metadataOf } from '../event-store/codec.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { findOperator } from '../security/operators.ts'
import { CommandFailed } from './command.ts'

/*
 * Checks that resources named on the command line exist. Call them before the command writes
 * anything.
 */

type Db = Kysely<Tables>

/** Throws CommandFailed if there is no such organization. */
export async function requireOrganization(db: Db, id: string): Promise<void> {
  const found = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (found === undefined) throw new CommandFailed(`There is no organization ${id}.`)
}

type NamedWorkspace = {
  readonly organizationId: string
  readonly workspaceId: string
  readonly livemode: boolean
}

/** Throws CommandFailed if the organization has no such workspace in this mode. */
export async function requireWorkspace(db: Db, named: NamedWorkspace): Promise<void> {
  const found = await db
    .selectFrom('workspaces')
    .select('livemode')
    .where('id', '=', named.workspaceId)
    .where('organization_id', '=', named.organizationId)
    .executeTakeFirst()
  if (found?.livemode === named.livemode) return
  const mode = named.livemode ? 'live' : 'test'
  throw new CommandFailed(`The organization has no ${mode} workspace ${named.workspaceId}.`)
}

/** Throws CommandFailed if the organization has no such active operator. */
export async function requireOperator(
  db: Db,
  place: { readonly organizationId: string; readonly operatorId: string },
): Promise<void> {
  const found = await findOperator(db, place.operatorId)
  if (found?.organization_id !== place.organizationId) {
    throw new CommandFailed(`The organization has no operator ${place.operatorId}.`)
  }
  if (found.status !== 'active') {
    throw new CommandFailed(`The operator ${place.operatorId} is disabled.`)
  }
}

/**
 * Throws CommandFailed if there is no such endpoint. Deleted endpoints exist: their deliveries can
 * be read.
 */
export async function requireEndpoint(db: Db, id: string): Promise<void> {
  const found = await db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (found === undefined) throw new CommandFailed(`There is no webhook endpoint ${id}.`)
}

/**
 * The owner and mode of a shipment, from its first event. Throws CommandFailed if there is no such
 * shipment.
 */
export async function ownerOf(store: EventStore, shipmentId: string) {
  const [first] = await store.readStream(shipmentStream(shipmentId), { limit: 1 })
  if (first === undefined) throw new CommandFailed(`There is no shipment ${shipmentId}.`)
  const { organization_id, workspace_id, livemode } = metadataOf(first)
  return { organizationId: organization_id, workspaceId: workspace_id, livemode }
}
