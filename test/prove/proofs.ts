/** Every proof, `npm run prove:<name>` each, and what it does. */
export const proofs: Readonly<Record<string, string>> = {
  simulation: '10,000 lives of a service, each from a seed, with everything going wrong',
  crashes: 'cut or killed at every flush and courier call of an operation; mutants caught',
  stampede: '1,000 keys with 50 callers each, over two processes',
  batches: 'a batch of 10,000 lines, killed five times on the way',
  soak: 'processes and PostgreSQL killed at random under load, for ten minutes',
  isolation: 'every operation, each place in it, asked by strangers; each layer taken away',
  fuzz: 'hostile requests, courier answers and receivers, from a seed',
  webhooks: '20,000 events under 50 kills; 100,000 that fail beside ten tenants',
  lists: 'every list on a million rows, with its plan',
  diff: '100,000 shipments compared with every read model',
  retention: 'what a turn of retention reads among 100,000 shipments',
  seal: 'a large ledger sealed, verified, exported',
  tamper: 'every column that evidence rests on changed as superuser, and worse',
  poller: 'ten thousand shipments followed: how late a poll is',
  cluster: 'nodes of an EventStoreDB cluster killed and frozen, where one is available',
  mutation: 'small mistakes made in the code one at a time: the tests must notice',
}
