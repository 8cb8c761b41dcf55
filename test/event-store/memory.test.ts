import t from 'tap'
import { memoryEventStore } from '../../src/service/event-store/memory.ts'
import { event, eventStoreContract, type MakeStore, readingContract } from './contract.ts'

const makeStore: MakeStore = async (t) => {
  const store = memoryEventStore()
  t.teardown(() => store.close())
  return store
}

t.test('the memory event store fulfils the event store contract', async (t) => {
  eventStoreContract(t, makeStore)
  readingContract(t, makeStore)
})

t.test('changing events after an append or a read does not change the memory store', async (t) => {
  const store = memoryEventStore()
  const data = { list: [1] }
  await store.append('note-1', 'no_stream', [event(data)])
  data.list.push(2)
  const [read] = await store.readStream('note-1')
  const list = read?.data.list as number[]
  t.throws(() => list.push(3))
  t.strictSame((await store.readStream('note-1'))[0]?.data, { list: [1] })
  await store.close()
})
