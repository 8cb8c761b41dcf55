export const largeBodyLimits = {
  /** Bodies that a process reads at once: each may take some tens of megabytes. */
  atOnceMax: 4,
  /** Bodies of one organization that a process reads at once. */
  ofOrganizationMax: 2,
  /** Bodies that have arrived and wait to be read. Their bytes are bounded below. */
  waitingMax: 32,
  ofOrganizationWaitingMax: 8,
  /** Reading a body takes a second or two. Our clients repeat a refused request. */
  waitMs: 10_000,
  /** Bytes of large bodies that have arrived and are not answered yet. */
  heldBytesMax: 96 * 1024 * 1024,
  /** Bytes of one organization: two of the largest bodies. */
  ofOrganizationBytesMax: 32 * 1024 * 1024,
} as const
export type LargeBodyLimits = Readonly<Record<keyof typeof largeBodyLimits, number>>
