import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { Json } from '../../domain/decider.ts'
import { auditStreamPrefix } from '../../domain/ids.ts'
import type { AuditEvent } from '../../domain/ledger/audit-event.ts'
import { actOf } from '../../event-store/codec.ts'
import type { EventStore, Position } from '../../event-store/event-store.ts'
import type { Difference } from './compare-table.ts'

/** Acts or rows per read. */
const pageMax = 1_000
/**
 * An act is recorded before it takes effect, so only differences found twice, this far apart,
 * count.
 */
const againMs = 2_000

/** The values of a row according to the acts so far. Columns that no act has set are absent. */
type Expected = { [column: string]: Json }
type Rows = Map<string, Expected>
type ActedOn = 'organizations' | 'operators' | 'api_keys' | 'workspaces'

/** The compared columns: who may act, and what must not be erased. */
const selected: Readonly<Record<ActedOn, ReturnType<typeof sql.raw>>> = {
  organizations: sql.raw('id, type, plan, suspended_at IS NOT NULL AS is_suspended'),
  operators: sql.raw('id, organization_id, status'),
  api_keys:
    sql.raw(`id, organization_id, workspace_id, livemode, role, scopes, operator_id, created_by_key_id, created_by_operator_id, replaced_by_key_id,
    to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS expires_at,
    revoked_at IS NOT NULL AS is_revoked`),
  workspaces: sql.raw(
    'id, organization_id, livemode, personal_data_retention_days, legal_hold_since IS NOT NULL AS is_held',
  ),
}
const actedOn = Object.keys(selected) as readonly ActedOn[]

type DiffActsDeps = { readonly db: Kysely<Tables>; readonly store: EventStore }

export type ActsDiff = {
  readonly tables: readonly {
    readonly table: ActedOn
    readonly rows: number
    readonly differing: number
  }[]
  readonly differences: readonly Difference[]
}

/**
 * Compares the configuration with the administrative acts: who may act, and what has a legal hold.
 * A row without an act is surplus. An act without a row is not a difference, because it may have
 * failed after it was recorded. Passes on errors of the event store and the database.
 */
export async function diffActs(deps: DiffActsDeps): Promise<ActsDiff> {
  const first = await compare(deps)
  if (first.differences.length === 0) return first
  await delay(againMs)
  return await compare(deps)
}

async function compare({ db, store }: DiffActsDeps): Promise<ActsDiff> {
  const expected = await expectedFromActs(store)
  const tables: ActsDiff['tables'][number][] = []
  const differences: Difference[] = []
  for (const table of actedOn) {
    let [rows, differing, after] = [0, 0, '']
    for (;;) {
      const { rows: page } = await sql<Expected & { id: string }>`
        SELECT ${selected[table]} FROM ${sql.table(table)} WHERE id > ${after}
        ORDER BY id LIMIT ${pageMax}`.execute(db)
      for (const row of page) {
        const found = differencesOf(table, row, expected[table].get(row.id))
        differing += found.length === 0 ? 0 : 1
        differences.push(...found)
      }
      rows += page.length
      after = page.at(-1)?.id ?? after
      if (page.length < pageMax) break
    }
    tables.push({ table, rows, differing })
  }
  return { tables, differences }
}

function differencesOf(
  table: ActedOn,
  row: Expected & { readonly id: string },
  fromActs: Expected | undefined,
): readonly Difference[] {
  const { id: key } = row
  if (fromActs === undefined) {
    return [{ table, key, kind: 'surplus', column: null, expected: null, actual: null }]
  }
  return Object.entries(fromActs).flatMap(([column, value]) => {
    const [expected, actual] = [JSON.stringify(value), JSON.stringify(row[column] ?? null)]
    return expected === actual ? [] : [{ table, key, kind: 'different', column, expected, actual }]
  })
}

async function expectedFromActs(store: EventStore): Promise<Record<ActedOn, Rows>> {
  const rows: Record<ActedOn, Rows> = {
    organizations: new Map(),
    operators: new Map(),
    api_keys: new Map(),
    workspaces: new Map(),
  }
  for (let after: Position | null = null; ; ) {
    const page = await store.readAll(after, { prefixes: [auditStreamPrefix], limit: pageMax })
    if (page.last === null || page.last === after) return rows
    for (const stored of page.events) {
      const { event, owner } = actOf(stored)
      applyAct(rows, event, { organization_id: owner, livemode: stored.metadata.livemode === true })
    }
    after = page.last
  }
}

function applyAct(rows: Record<ActedOn, Rows>, event: AuditEvent, own: Expected): void {
  const set = (table: ActedOn, id: string, columns: Expected) =>
    rows[table].set(id, { ...rows[table].get(id), ...columns })
  /** Older acts do not have the new value of a column. */
  const forget = (table: ActedOn, id: string, column: string) => {
    const { [column]: _unknown, ...rest } = rows[table].get(id) ?? {}
    rows[table].set(id, rest)
  }
  const { organization_id } = own as { organization_id: string }
  switch (event.type) {
    case 'OrganizationCreated': {
      const { organization_id: id, type, plan } = event.data
      return void set('organizations', id, {
        type,
        ...(plan === undefined ? {} : { plan }),
        is_suspended: false,
      })
    }
    case 'OrganizationPlanChanged':
      return void set('organizations', event.data.organization_id, { plan: event.data.plan })
    case 'OrganizationSuspended':
      return void set('organizations', event.data.organization_id, { is_suspended: true })
    case 'OrganizationResumed':
      return void set('organizations', event.data.organization_id, { is_suspended: false })
    case 'OperatorCreated':
      return void set('operators', event.data.operator_id, { organization_id, status: 'active' })
    case 'OperatorDisabled':
      return void set('operators', event.data.operator_id, { status: 'disabled' })
    case 'OperatorChanged': {
      const { operator_id: id, fields, changes } = event.data
      const status = changes?.status?.after
      if (status !== undefined) set('operators', id, { status })
      else if (fields.includes('status')) forget('operators', id, 'status')
      return
    }
    case 'ApiKeyCreated': {
      const { key_id: id, operator_id = null, scopes, ...created } = event.data
      const said = { ...created, scopes: [...scopes], operator_id, is_revoked: false }
      // Older acts do not have the creator.
      const { created_by_key_id: by, created_by_operator_id = null } = event.data
      const creator = by === undefined ? {} : { created_by_operator_id }
      return void set('api_keys', id, { organization_id, ...said, ...creator })
    }
    case 'ApiKeyRolled': {
      const { key_id: id, replaced_by_key_id, expires_at } = event.data
      return void set('api_keys', id, { replaced_by_key_id, expires_at })
    }
    case 'ApiKeyRevoked':
      return void set('api_keys', event.data.key_id, { is_revoked: true })
    case 'WorkspaceCreated': {
      const { workspace_id: id, label_format: _, ...created } = event.data
      return void set('workspaces', id, { ...own, ...created, is_held: false })
    }
    case 'WorkspaceChanged': {
      const days = event.data.changes?.personal_data_retention_days?.after
      const { fields, workspace_id: id } = event.data
      if (days !== undefined) set('workspaces', id, { personal_data_retention_days: days })
      else if (fields.includes('personal_data_retention_days')) {
        forget('workspaces', id, 'personal_data_retention_days')
      }
      return
    }
    case 'WorkspaceHoldPlaced':
      return void set('workspaces', event.data.workspace_id, { is_held: true })
    case 'WorkspaceHoldLifted':
      return void set('workspaces', event.data.workspace_id, { is_held: false })
    default:
  }
}
