import type { Test } from 'tap'
import { eventStoreStandIn } from './stand-in.ts'

/** The server that `EVENT_STORE_URL` names, or a stand-in of it until the end of the test. */
export async function eventStoreUrl(t: Test): Promise<string> {
  return process.env.EVENT_STORE_URL || (await eventStoreStandIn(t)).url
}
