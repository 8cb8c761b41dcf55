import { lastCheckpoint } from '../../src/service/ledger/checkpoints.ts'
import { type Verified, verifyLedger } from '../../src/service/ledger/verify.ts'
import { eventually } from './eventually.ts'
import type { Fleet } from './processes.ts'

/** Waits until every event is sealed, then verifies the fleet's whole ledger. */
export async function verifySealed(all: Fleet): Promise<Verified> {
  const { db, store } = all.parts
  const head = (await store.head()) ?? ''
  await eventually(
    () => lastCheckpoint(db),
    (last) => (last?.position ?? '') >= head,
  )
  return await verifyLedger({
    db,
    store,
    checkpointKey: all.secrets.checkpointKey,
    checkpointDir: all.checkpointDir,
    isContiguous: process.env.EVENT_STORE_URL === undefined,
  })
}
