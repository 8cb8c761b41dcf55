/** More connections would only queue for the two to eight cores of a database server. */
export const connectionsMax = 10
/** Reads of the ledger take a millisecond, so two cores cannot serve more than four at once. */
export const ledgerReadersMax = 4
/** All appends of a process share one session. */
const ledgerAppendersMax = 1
/** One session listens for commits of other processes. */
const ledgerListenersMax = 1

/** Sessions that one process may hold at once. PostgreSQL's default of 100 serves six processes. */
export const sessionsPerProcessMax =
  connectionsMax + ledgerReadersMax + ledgerAppendersMax + ledgerListenersMax
