import type { QueryExecutorProvider } from 'kysely'
import type { Resolution } from '../../domain/operation/machine.ts'
import {
  newestComments,
  type OperatorNotes,
  type WrittenNote,
} from '../../domain/operation/operation-to-api.ts'
import type { Comment } from '../../domain/operation/work.ts'
import { operationOf, type Shipment } from '../../domain/shipment/shipment.ts'
import { operatorNames } from '../../security/operators.ts'
import { openMax, type Vault } from '../../security/vault/vault.ts'

type Deps = {
  readonly db: QueryExecutorProvider
  readonly vault: Pick<Vault, 'openAll' | 'openItems'>
}

/** What people did about operations, as far as a response shows it. */
type PeopleAndNotes = {
  readonly resolutions: readonly Pick<Resolution, 'operatorId' | 'ref'>[]
  readonly comments: readonly Comment[]
  readonly assigneeIds: readonly string[]
}

export function notesOf(
  rows: readonly { readonly operation_id: string; readonly state: Shipment }[],
): PeopleAndNotes {
  const operations = rows.flatMap((row) => operationOf(row.state, row.operation_id) ?? [])
  return {
    resolutions: operations.flatMap((operation) => operation.resolutions),
    comments: operations.flatMap(newestComments),
    assigneeIds: operations.flatMap(({ assigneeId }) => assigneeId ?? []),
  }
}

export function notesInComments(comments: readonly Comment[]): PeopleAndNotes {
  return { resolutions: [], comments, assigneeIds: [] }
}

/**
 * The names of the operators from their rows, which survive an erasure of the shipment. With
 * `organizationId`, only those of its own operators.
 */
export async function namesIn(
  db: QueryExecutorProvider,
  { resolutions, comments, assigneeIds }: PeopleAndNotes,
  organizationId: string | null,
): Promise<OperatorNotes['names']> {
  const writers = [...resolutions, ...comments].flatMap(({ operatorId }) => operatorId ?? [])
  return await operatorNames(db, [...writers, ...assigneeIds], organizationId)
}

/** For the owner: who did what and why. The platform's operators also act on its operations. */
export async function ownerNotes(
  { db, vault }: Deps,
  asked: PeopleAndNotes,
): Promise<OperatorNotes> {
  const written = new Map<string, WrittenNote>()
  const ofDecisions = asked.resolutions.flatMap(({ ref }) => ref ?? [])
  const refs = [...ofDecisions, ...asked.comments.map(({ ref }) => ref)]
  for (let at = 0; at < refs.length; at += openMax) {
    const kept = await vault.openAll(refs.slice(at, at + openMax))
    for (const [ref, { payload }] of kept) written.set(ref, payload as WrittenNote)
  }
  // Earlier notes of decisions are items of the shipment, and are erased with the person.
  const earlier = ofDecisions.filter((ref) => !written.has(ref))
  for (let at = 0; at < earlier.length; at += openMax) {
    const items = await vault.openItems(earlier.slice(at, at + openMax))
    for (const [ref, item] of items) {
      if (!Buffer.isBuffer(item)) written.set(ref, item as WrittenNote)
    }
  }
  return { written, names: await namesIn(db, asked, null) }
}

/** For the platform, on another organization's operation: only what its own operators wrote. */
export async function platformNotes(
  deps: Deps,
  asked: PeopleAndNotes,
  organizationId: string,
): Promise<OperatorNotes> {
  const names = await namesIn(deps.db, asked, organizationId)
  const own = asked.comments.filter(({ operatorId }) => names.has(operatorId ?? ''))
  const { written } = await ownerNotes(deps, notesInComments(own))
  return { written, names }
}
