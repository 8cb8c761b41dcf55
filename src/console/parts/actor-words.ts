import type { Schemas } from '../../client/methods.ts'

/** Who caused an event, in words. */
export function actorWords({ type, operator_id: id }: Schemas['LedgerEvent']['actor']): string {
  return id === undefined ? type.replaceAll('_', ' ') : `operator ${id}`
}
