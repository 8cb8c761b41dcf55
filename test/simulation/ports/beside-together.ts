import type { AppendOutcome, EventStore } from '../../../src/service/event-store/event-store.ts'
import { withAppend } from '../../../src/service/event-store/with-append.ts'
import type { MemoryVaultRows } from './memory-vault-rows.ts'

/** The memory store and the vault's rows as one database: what is beside events is written with them. */
export function besideTogether(store: EventStore, rows: MemoryVaultRows): EventStore {
  let before: Promise<unknown> = Promise.resolve()
  const one: EventStore['append'] = async (stream, expected, events, options = {}) => {
    const { beside: { row, attempt, items = [] } = {}, ...others } = options
    const version = expected === 'no_stream' ? 0 : expected + 1
    const isLate = others.notAfter !== undefined && others.notAfter.getTime() < Date.now()
    if (isLate || (await store.readStream(stream)).length !== version)
      return await store.append(stream, expected, events, others)
    const erased: AppendOutcome = { kind: 'erased' }
    if (items.some(({ vaultRef }) => vaultRef !== row?.ref && !rows.rows.has(vaultRef)))
      return erased
    const first = { ...(row && { row }), ...(attempt && { attempt }) }
    const [withheld] = await rows.storeFirst([{ ...first, version, isIntent: false }])
    if (withheld != null) return withheld as AppendOutcome
    await rows.insertItems(items)
    return await store.append(stream, expected, events, others)
  }
  return withAppend(store, (...args) => {
    const appending = before.then(() => one(...args))
    before = appending.catch(() => undefined)
    return appending
  })
}
