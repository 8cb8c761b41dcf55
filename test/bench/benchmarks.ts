/** Every benchmark, a file of this folder each, and what it measures. */
export const benchmarks: Readonly<Record<string, string>> = {
  limit: 'creations beside the least that could keep their promise',
  batch: 'a batch beside single creations, and single creations beside a batch',
  counters: 'what a creation makes PostgreSQL do: statements, rows, log',
  'replay-key': 'a finished key again, beside a route that does nothing',
  lag: 'from commit to the list of shipments',
  start: 'from npm start on existing data to the first creation',
  webhooks: 'deliveries beside a bare HTTP client',
  eventstoredb: 'creations and catch-up on an EventStoreDB',
  rebuild: 'projections rebuilt from a million events, beside a bare SELECT of them',
  growth: 'an append and a read in a ledger of millions, against one of thousands',
  memory: "the service's memory after many creations, against after few",
  catalogue: "the event loop, and a neighbour's creation, beside lists of 20,000 agencies",
  labels: 'the memory and the event loop while the papers of 200 shipments are printed',
  reach: "whether the time of an answer tells another's id from one that never existed",
  invoice: "a courier's invoice of 100,000 lines, imported and compared with the ledger",
  console: "the console's interactions with ten thousand operations",
}
