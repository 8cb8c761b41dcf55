/** More connections than this would only queue for the two to eight cores behind them. */
export const connectionsMax = 10
/** Reads of the ledger take a millisecond: four at once are more than two cores can serve. */
export const ledgerReadersMax = 4
/** Appends of a process go together through one session. */
const ledgerAppendersMax = 1
/** It listens for commits of other processes. */
const ledgerListenersMax = 1

/** Sessions that one process may hold at once. PostgreSQL's default of 100 serves six processes. */
export const sessionsPerProcessMax =
  connectionsMax + ledgerReadersMax + ledgerAppendersMax + ledgerListenersMax
