import type { ErasureRows } from '../../../src/service/processes/erasure/erasure-rows.ts'

/** Pending erasures in memory. */
export type MemoryErasures = ErasureRows & {
  /** Unfinished erasures by shipment. */
  readonly open: ReadonlyMap<string, { readonly dueAt: number; readonly createdAt: number }>
  readonly ended: ReadonlySet<string>
}

type Note = { dueAt: number; createdAt: number; tries: number; isListed: boolean }

export function memoryErasures(): MemoryErasures {
  const open = new Map<string, Note>()
  const ended = new Set<string>()
  return {
    open,
    ended,
    async read(shipmentId) {
      const note = open.get(shipmentId)
      if (note === undefined) return null
      return { because: 'request', tries: note.tries, isListed: note.isListed }
    },
    async note({ shipmentId, dueAt }) {
      const isListed = open.get(shipmentId)?.isListed ?? false
      ended.delete(shipmentId)
      open.set(shipmentId, { dueAt, createdAt: Date.now(), tries: 0, isListed })
    },
    async postpone(shipmentId, dueAt, tries) {
      const note = open.get(shipmentId)
      if (note !== undefined) open.set(shipmentId, { ...note, dueAt, tries })
    },
    async markListed(shipmentId) {
      const note = open.get(shipmentId)
      if (note !== undefined) open.set(shipmentId, { ...note, isListed: true })
    },
    async end(shipmentId) {
      if (open.delete(shipmentId)) ended.add(shipmentId)
    },
    async withdraw(shipmentId, ageMs) {
      const note = open.get(shipmentId)
      if (note === undefined || note.createdAt > Date.now() - ageMs) return false
      return open.delete(shipmentId)
    },
    isHeld: async () => false,
    unlessHeld: (_workspaceId, record) => record(),
    forgetExcerpts: async () => {},
  }
}
