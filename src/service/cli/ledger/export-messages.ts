import type { ExportScope } from '../../ledger/export.ts'
import { counted } from '../command.ts'

/* Sentences about an exported file, shared by `export` and `verify --file`. */

/** Whether the scope is only a part of the ledger. */
export function isPart(scope: ExportScope): boolean {
  return Object.values(scope).some((value) => value !== null)
}

/** The sentence about an export of a part of the ledger. */
export function partNotice(scope: ExportScope, isStated: boolean): string {
  if (!isStated) {
    return 'This is a part of the ledger, without a signed statement about its streams: it does not prove that these shipments have no later events, or that the scope has no other shipments.'
  }
  const period = scope.from === null && scope.to === null ? 'its scope' : 'its scope and period'
  return `This is a part of the ledger. A signed statement says that no event of ${period} is missing, up to its checkpoint.`
}

export function notSealedNotice(events: number): string {
  const are = events === 1 ? 'was not sealed yet and is' : 'were not sealed yet and are'
  return `${counted(events, 'event')} ${are} not in the file.`
}
