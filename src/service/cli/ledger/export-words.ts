import type { ExportScope } from '../../ledger/export.ts'
import { counted } from '../command.ts'

/* Sentences about an exported file, shared by `export` and `verify --file`. */

/** Whether something of the ledger was left out on purpose. */
export function isPart(scope: ExportScope): boolean {
  return Object.values(scope).some((value) => value !== null)
}

/** About an export of a part. */
export function partNotice(scope: ExportScope, isStated: boolean): string {
  if (!isStated) {
    return 'This is a part of the ledger, without a signed statement about its streams: later events of these shipments are not excluded, nor are other shipments of the scope.'
  }
  const period = scope.from === null && scope.to === null ? 'its scope' : 'its scope and period'
  return `This is a part of the ledger. A signed statement says that no event of ${period} is missing, up to its checkpoint.`
}

export function notSealedNotice(events: number): string {
  const are = events === 1 ? 'was not sealed yet and is' : 'were not sealed yet and are'
  return `${counted(events, 'event')} ${are} not in the file.`
}
