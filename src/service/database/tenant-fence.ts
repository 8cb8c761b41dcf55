import { AsyncLocalStorage } from 'node:async_hooks'
import {
  AliasNode,
  BinaryOperationNode,
  ColumnNode,
  type DeleteQueryNode,
  IdentifierNode,
  type InsertQueryNode,
  JoinNode,
  type Kysely,
  type KyselyPlugin,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  PrimitiveValueListNode,
  ReferenceNode,
  type SelectQueryNode,
  TableNode,
  type UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  WhereNode,
} from 'kysely'

/** Every table with rows of organizations. A test compares the list with the database. */
export const tenantTables: ReadonlySet<string> = new Set([
  'workspaces',
  'workspace_hold_notes',
  'api_keys',
  'operators',
  'sign_in_codes',
  'request_log',
  'request_traces',
  'unreadable_labels',
  'courier_connections',
  'idempotent_answers',
  'quotes',
  'vault',
  'quota_months',
  'quota_reservations',
  'quota_thresholds',
  'batches',
  'batch_lines',
  'batch_lanes',
  'batch_orders',
  'courier_invoices',
  'courier_invoice_versions',
  'courier_invoice_lines',
  'courier_invoice_invalid_lines',
  'webhook_endpoints',
  'webhook_lanes',
  'webhook_events',
  'webhook_deliveries',
  'webhook_notices',
  'webhook_statistics',
  'projections.shipments',
  'projections.operations',
  'projections.audit_events',
  'projections.statistics',
])
const ownerColumn = 'organization_id'

const callers = new AsyncLocalStorage<string>()

/**
 * Runs `work` for an organization. Within it, a fenced database shows only that organization's rows.
 */
export function withinOrganization<T>(organizationId: string, work: () => T): T {
  return callers.run(organizationId, work)
}

/** The query was not sent: the caller is unknown, or a row would belong to another organization. */
export class FenceError extends Error {
  override readonly name = 'FenceError'
}

/**
 * A second layer below the conditions that every query states itself. The fence adds the condition on
 * the calling organization to each statement again, so PostgreSQL reads and changes only that
 * organization's rows. Rows of another organization are not inserted, and nothing is sent without a
 * caller. Code that reads several organizations on purpose uses `withoutPlugins()`; a test lists those
 * places. SQL written as text is not rewritten.
 */
export function fenced<Tables>(db: Kysely<Tables>): Kysely<Tables> {
  return db.withPlugin(plugin)
}

const plugin: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => new Fence().transformNode(node, queryId),
  transformResult: async ({ result }) => result,
}

/** The name or alias of a tenant table in the statement; null for any other table. */
function tenantName(node: OperationNode): TableNode | null {
  const inner = AliasNode.is(node) ? node.node : node
  if (!TableNode.is(inner)) return null
  const { schema, identifier } = inner.table
  const name = schema === undefined ? identifier.name : `${schema.name}.${identifier.name}`
  if (!tenantTables.has(name)) return null
  if (!AliasNode.is(node) || !IdentifierNode.is(node.alias)) return inner
  return TableNode.create(node.alias.name)
}

function caller(): string {
  const organizationId = callers.getStore()
  if (organizationId !== undefined) return organizationId
  throw new FenceError('bug: a tenant table is queried without a known caller')
}

function isOwn(table: TableNode): OperationNode {
  return BinaryOperationNode.create(
    ReferenceNode.create(ColumnNode.create(ownerColumn), table),
    OperatorNode.create('='),
    ValueNode.create(caller()),
  )
}

function whereOwn(
  where: WhereNode | undefined,
  tables: readonly OperationNode[],
): WhereNode | undefined {
  return tables.reduce<WhereNode | undefined>((so, node) => {
    const table = tenantName(node)
    if (table === null) return so
    const own = isOwn(table)
    return so === undefined ? WhereNode.create(own) : WhereNode.cloneWithOperation(so, 'And', own)
  }, where)
}

/** For a joined table the condition is part of the join, so that an outer join stays an outer join. */
function joinOwn(join: JoinNode): JoinNode {
  const table = tenantName(join.table)
  if (table === null) return join
  const own = isOwn(table)
  return join.on === undefined
    ? JoinNode.cloneWithOn(join, own)
    : { ...join, on: OnNode.cloneWithOperation(join.on, 'And', own) }
}

function withWhere<Node extends { readonly where?: WhereNode }>(
  node: Node,
  tables: readonly OperationNode[],
): Node {
  const where = whereOwn(node.where, tables)
  return where === undefined ? node : { ...node, where }
}

type Joined = { readonly joins?: readonly JoinNode[] }

function withJoins<Node extends Joined>(node: Node): Node {
  return node.joins === undefined ? node : { ...node, joins: node.joins.map(joinOwn) }
}

/** The values of a column in the rows to be inserted; null when they cannot be determined. */
function insertedIn(node: InsertQueryNode, column: string): readonly unknown[] | null {
  const at = node.columns?.findIndex((one) => one.column.name === column) ?? -1
  if (at < 0 || node.values === undefined || !ValuesNode.is(node.values)) return null
  return node.values.values.map((row) => {
    if (PrimitiveValueListNode.is(row)) return row.values[at]
    const value = ValueListNode.is(row) ? row.values[at] : undefined
    return value !== undefined && ValueNode.is(value) ? value.value : undefined
  })
}

/** A class because Kysely walks statements with one. An instance is used for a single walk. */
class Fence extends OperationNodeTransformer {
  protected override transformSelectQuery(
    ...args: Parameters<OperationNodeTransformer['transformSelectQuery']>
  ): SelectQueryNode {
    const node = withJoins(super.transformSelectQuery(...args))
    return withWhere(node, node.from?.froms ?? [])
  }

  protected override transformUpdateQuery(
    ...args: Parameters<OperationNodeTransformer['transformUpdateQuery']>
  ): UpdateQueryNode {
    const node = withJoins(super.transformUpdateQuery(...args))
    const table = node.table === undefined ? [] : [node.table]
    return withWhere(node, [...table, ...(node.from?.froms ?? [])])
  }

  protected override transformDeleteQuery(
    ...args: Parameters<OperationNodeTransformer['transformDeleteQuery']>
  ): DeleteQueryNode {
    const node = withJoins(super.transformDeleteQuery(...args))
    return withWhere(node, [...node.from.froms, ...(node.using?.tables ?? [])])
  }

  protected override transformInsertQuery(
    ...args: Parameters<OperationNodeTransformer['transformInsertQuery']>
  ): InsertQueryNode {
    const node = super.transformInsertQuery(...args)
    if (node.into === undefined || tenantName(node.into) === null) return node
    const owners = insertedIn(node, ownerColumn)
    const own = caller()
    if (owners === null || owners.some((owner) => owner !== own)) {
      throw new FenceError("bug: an insert has a row that is not the caller's")
    }
    return node
  }
}
