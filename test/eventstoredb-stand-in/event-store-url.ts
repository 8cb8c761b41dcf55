import type { Test } from 'tap'
import { eventStoreStandIn } from './stand-in.ts'

/** The server of `EVENT_STORE_URL`, or a stand-in for it until the end of the test. */
export async function eventStoreUrl(t: Test): Promise<string> {
  return process.env.EVENT_STORE_URL || (await eventStoreStandIn(t)).url
}
