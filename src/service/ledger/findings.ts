/** The place of a problem: a position of the ledger, and what is known about the event there. */
export type Where = {
  readonly position: string | null
  readonly type: string | null
  readonly shipment_id: string | null
  readonly recorded_at: string | null
}

/** A problem, in plain words. A `null` field is unknown. */
export type Finding = Where & { readonly problem: string }

/** Listed findings. A rewritten ledger would have one for each event. */
export const findingsMax = 20

export type Findings = {
  /** The first findings, in the order in which they were found. */
  readonly list: readonly Finding[]
  /** The number of all findings. */
  readonly count: number
  /** Only the first finding of a position counts: other problems there follow from it. */
  add(where: Where | null, problem: string): void
}

const nowhere: Where = { position: null, type: null, shipment_id: null, recorded_at: null }

/** A place whose position alone is known. */
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
