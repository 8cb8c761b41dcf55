import type { Schemas } from '../../client/methods.ts'
import { useSession } from '../session.tsx'

type Session = ReturnType<typeof useSession>
type Item = Pick<Schemas['BatchItem'], 'line' | 'external_reference'>

function nameOf(batchId: string): string {
  return `references of ${batchId}`
}

/** The API names a line's order only once it has a shipment, so the session remembers the file's. */
export function keepReferences(
  { drafts }: Session,
  batchId: string,
  references: ReadonlyMap<number, string>,
): void {
  drafts.set(nameOf(batchId), references)
}

/** The order reference of a line, if it is known. */
export function useReferences(batchId: string): (item: Item) => string | null {
  const { drafts } = useSession()
  const sent = drafts.get(nameOf(batchId)) as ReadonlyMap<number, string> | undefined
  return ({ line, external_reference: reference }) => reference ?? sent?.get(line) ?? null
}
