/** Something that is wrong, and where: a position of the ledger, or null where none can be named. */
export type Finding = { readonly position: string | null; readonly problem: string }

/** Findings that are told one by one; a ledger that was rewritten would have one for each event. */
export const findingsMax = 20

export type Findings = {
  /** The first ones, in the order in which they were found. */
  readonly list: readonly Finding[]
  /** How many there are in all. */
  readonly count: number
  add(position: string | null, problem: string): void
}

export function findings(): Findings {
  const list: Finding[] = []
  let count = 0
  return {
    list,
    get count() {
      return count
    },
    add(position, problem) {
      count++
      if (list.length < findingsMax) list.push({ position, problem })
    },
  }
}
