import type { QueryExecutorProvider } from 'kysely'
import type { OperatorNote, OperatorNotes } from '../../domain/operation/shown-operation.ts'
import { operationOf, type Shipment } from '../../domain/shipment/shipment.ts'
import { operatorNames } from '../../security/operators.ts'

type Options = {
  readonly db: QueryExecutorProvider
  /** Names only operators of this organization; null = also those of the platform. */
  readonly organizationId: string | null
}

/**
 * The notes with the names of the operators who decided. The names come from the operators' rows, so
 * they survive the erasure of the shipment.
 */
export async function withOperators(
  { db, organizationId }: Options,
  rows: readonly { readonly operation_id: string; readonly state: Shipment }[],
  notes: OperatorNotes,
): Promise<OperatorNotes> {
  const decided = rows
    .flatMap((row) => operationOf(row.state, row.operation_id)?.resolutions ?? [])
    .flatMap(({ operatorId, ref }) => (operatorId && ref ? [{ operatorId, ref }] : []))
  const ids = decided.map(({ operatorId }) => operatorId)
  const names = await operatorNames(db, ids, organizationId)
  const named = decided.map(({ operatorId, ref }): [string, OperatorNote] => [
    ref,
    { decided_by: names.get(operatorId) ?? null, note: notes.get(ref)?.note ?? null },
  ])
  return new Map([...notes, ...named])
}
