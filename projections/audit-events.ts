import type { Json, JsonObject } from '../src/service/domain/decider.ts'
import { platform } from '../src/service/domain/ids.ts'
import { administrativeAct, modesOf } from '../src/service/domain/ledger/administrative-act.ts'
import { type Act, metadataOf } from '../src/service/event-store/codec.ts'
import { flag, id, idOrNull, int, text, time } from './columns.ts'
import { listIndexes, table } from './table.ts'

/**
 * The administrative acts on organizations, one row per event. The platform's own stream belongs to no
 * organization and is excluded.
 */
export const auditEvents = table({
  madeOf: 'acts',
  key: 'event_id',
  columns: {
    event_id: id,
    /** Its number in the stream, from 1. */
    version: int,
    position: id,
    organization_id: id,
    workspace_id: idOrNull,
    livemode: flag,
    /** Whether test keys see it. */
    in_test: flag,
    in_live: flag,
    action: id,
    actor_type: id,
    key_id: idOrNull,
    operator_id: idOrNull,
    resource_type: id,
    resource_id: idOrNull,
    request_id: idOrNull,
    /** What changed, and the event's data, as JSON that no query looks into. */
    content: text,
    created_at: time,
  },
  indexes: (name) =>
    listIndexes(name, 'position', {
      test: 'organization_id, in_test',
      live: 'organization_id, in_live',
      workspace: 'workspace_id',
      key: 'organization_id, key_id',
      operator: 'organization_id, operator_id',
      action: 'organization_id, action',
      resource: 'organization_id, resource_id',
      resource_type: 'organization_id, resource_type',
    }),
  rows: ({ acts }) => acts.filter(({ owner }) => owner !== platform).map(row),
})

/** The shape of `content`. */
export type AuditContent = {
  readonly changed_fields: readonly string[]
  readonly before: object
  readonly after: object
  readonly data: object
}

function row({ stored, event, owner }: Act) {
  const metadata = metadataOf(stored)
  const { workspace_id, livemode } = metadata
  const { resource, changedFields, before, after } = administrativeAct(event)
  const modes = modesOf({ type: event.type, workspaceId: workspace_id, livemode })
  const content: AuditContent = {
    changed_fields: changedFields,
    before,
    after,
    data: stored.data,
  }
  return {
    event_id: stored.id,
    version: stored.revision + 1,
    position: stored.position,
    organization_id: owner,
    workspace_id,
    livemode,
    in_test: modes.inTest,
    in_live: modes.inLive,
    action: event.type,
    actor_type: metadata.actor.type,
    key_id: metadata.actor.key_id,
    operator_id: operatorOf(stored.metadata.actor),
    resource_type: resource.type,
    resource_id: resource.id,
    request_id: metadata.request_id,
    content: JSON.stringify(content),
    created_at: metadata.recorded_at,
  }
}

/** The operator's id; null if the actor is not an operator. */
function operatorOf(actor: Json | undefined): string | null {
  const id = (actor as JsonObject | undefined)?.operator_id
  return typeof id === 'string' ? id : null
}
