import type pg from 'pg'

type PlanNode = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

export type Explained = {
  readonly root: PlanNode
  /** The root and all nodes below it. */
  readonly nodes: readonly PlanNode[]
  readonly ms: number
  /** Pages of 8 KB that were read, from memory or disk. */
  readonly buffers: number
}

type Answer = {
  readonly Plan: PlanNode & {
    readonly 'Shared Hit Blocks': number
    readonly 'Shared Read Blocks': number
  }
  readonly 'Execution Time': number
}

/** Executes the statement and returns its plan. */
export async function explain(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
): Promise<Explained> {
  const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [
    ...values,
  ])
  const [answer] = rows[0]['QUERY PLAN'] as readonly Answer[]
  if (answer === undefined) throw new Error('no plan')
  const { Plan: root, 'Execution Time': ms } = answer
  const buffers = root['Shared Hit Blocks'] + root['Shared Read Blocks']
  return { root, nodes: nodesOf(root), ms, buffers }
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}
