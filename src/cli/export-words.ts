import type { ExportScope } from '../ledger/export.ts'
import { counted } from './command.ts'

/* Sentences about an exported file, shared by `export` and `verify --file`. */

/** Whether something of the ledger was left out on purpose. */
export function isPart(scope: ExportScope): boolean {
  return Object.values(scope).some((value) => value !== null)
}

export const partNotice =
  'This is a part of the ledger: later events of these shipments are not excluded.'

export function notSealedNotice(events: number): string {
  const are = events === 1 ? 'was not sealed yet and is' : 'were not sealed yet and are'
  return `${counted(events, 'event')} ${are} not in the file.`
}
