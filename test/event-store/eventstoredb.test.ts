import { randomBytes } from 'node:crypto'
import t from 'tap'
import { eventStoreDb } from '../../src/service/event-store/eventstoredb/eventstoredb.ts'
import { eventStoreUrl } from '../eventstoredb-stand-in/event-store-url.ts'
import { eventStoreContract } from './contract.ts'

/** A busy machine with two cores needs seconds for the 4,000 racing appends. */
const patient = { callMs: 20_000, watchdogMs: 25_000, answerMs: 60_000, readSilentMs: 20_000 }

t.test('the EventStoreDB adapter fulfils the event store contract', async (t) => {
  const url = await eventStoreUrl(t)
  eventStoreContract(t, async (t) => {
    const namespace = `test${randomBytes(8).toString('hex')}.`
    const store = eventStoreDb({ url, namespace, prefixes: ['note-'], times: patient })
    t.teardown(() => store.close())
    return store
  })
})
