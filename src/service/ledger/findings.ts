/** Where something is wrong: a position of the ledger, and what is known about the event there. */
export type Where = {
  readonly position: string | null
  readonly type: string | null
  readonly shipment_id: string | null
  readonly recorded_at: string | null
}

/** A problem, in plain words. A `null` field is unknown. */
export type Finding = Where & { readonly problem: string }

/** Findings that are listed; a rewritten ledger would have one for each event. */
const findingsMax = 20

export type Findings = {
  /** The first ones, in the order in which they were found. */
  readonly list: readonly Finding[]
  /** How many there are in all. */
  readonly count: number
  /** Only the first finding of a position counts: other problems there follow from it. */
  add(where: Where | null, problem: string): void
}

const nowhere: Where = { position: null, type: null, shipment_id: null, recorded_at: null }

/** A position about which nothing else is known. */
export function atPosition(position: string, shipmentId: string | null = null): Where {
  return { ...nowhere, position, shipment_id: shipmentId }
}

export function findings(): Findings {
  const list: Finding[] = []
  let count = 0
  // The ledger is read in order, so only the last position can come again.
  let last: string | null = null
  return {
    list,
    get count() {
      return count
    },
    add(where, problem) {
      const { position } = where ?? nowhere
      if (position !== null && position === last) return
      if (position !== null) last = position
      count++
      if (list.length < findingsMax) list.push({ ...(where ?? nowhere), problem })
    },
  }
}
