import type { Client } from '../../client/create-client.ts'
import type { Schemas } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { isSignedBy, leafOf, provedRoot, type SignedTree, treeOf } from './ledger-proof.ts'

type LedgerEvent = Schemas['LedgerEvent']

export type Verdict = {
  /** The problems found, in the ledger's order; empty if everything that was checked holds. */
  readonly wrong: readonly string[]
  /** Events whose proof leads to the signed root. */
  readonly proved: number
  /** The newest events, which no checkpoint covers yet. */
  readonly notSealed: number
  /** The history is longer than the part that was read. */
  readonly isCut: boolean
  readonly tree: SignedTree
  /** The signing key as text; null if none of the service's keys signed. */
  readonly signedBy: string | null
}

/**
 * Each event is a proof and each proof a request: longer histories belong in the auditor's file.
 */
const eventsMax = 1_000
const pageEvents = 100
/** Concurrent requests for proofs. */
const proofsAtOnce = 4

type Verifying = {
  readonly client: Client
  readonly signal: AbortSignal
  /** Events checked so far, and their total. */
  tell(done: number, of: number): void
}

/**
 * Checks a shipment's whole history against the last signed checkpoint, entirely in the browser.
 */
export async function verifyShipment(id: string, verifying: Verifying): Promise<Verdict> {
  const { client, signal } = verifying
  if (!globalThis.isSecureContext) {
    throw new Error('Browsers compute digests only on pages loaded over https or from localhost.')
  }
  const events: LedgerEvent[] = []
  const history = client.ledger.listShipmentEvents({ id, limit: pageEvents }, { signal })
  let isCut = false
  for await (const event of history) {
    isCut = events.length === eventsMax
    if (isCut) break
    events.push(event)
  }
  // Read after the events, so that it covers what was sealed meanwhile.
  const { note } = await client.ledger.getCheckpoint({}, { signal })
  const keys = await client.ledger.listKeys({}, { signal })
  const tree = treeOf(note)
  const signedBy = await signerOf(note, keys.data)
  // An unsigned checkpoint proves nothing, so no proof is requested against it.
  const checks = signedBy === null ? [] : await checkEach(events, tree, verifying)
  const wrong = [
    ...(events.length === 0 ? ['There is no event, but every history begins with one.'] : []),
    ...(signedBy === null ? ['No key of this ledger has signed the checkpoint.'] : []),
    ...events.flatMap((event, index) => wrongInOrder(id, event, index, events)),
    ...checks.flatMap(({ wrong: sentence }) => (sentence === null ? [] : [sentence])),
    ...wrongPlaces(checks),
  ]
  return {
    wrong,
    isCut,
    tree,
    signedBy,
    proved: checks.filter((check) => check.wrong === null && check.index !== null).length,
    notSealed: checks.filter((check) => check.wrong === null && check.index === null).length,
  }
}

async function signerOf(
  note: string,
  keys: readonly Schemas['LedgerKey'][],
): Promise<string | null> {
  for (const { verifier } of keys) if (await isSignedBy(note, verifier)) return verifier
  return null
}

function nameOf(event: LedgerEvent): string {
  return `Event ${event.revision + 1}, ${event.type}`
}

function wrongInOrder(
  id: string,
  event: LedgerEvent,
  index: number,
  events: readonly LedgerEvent[],
): readonly string[] {
  const found: string[] = []
  if (event.revision !== index) found.push(`${nameOf(event)}: it is at position ${index + 1}.`)
  if (event.shipment_id !== id) found.push(`${nameOf(event)}: it belongs to another shipment.`)
  if (event.correlation_id !== events[0]?.id) found.push(`${nameOf(event)}: of another history.`)
  return found
}

/** `index` is the position among all leaves; null: not sealed yet. */
type Check = { readonly wrong: string | null; readonly index: number | null }

async function checkEach(
  events: readonly LedgerEvent[],
  tree: SignedTree,
  verifying: Verifying,
): Promise<readonly Check[]> {
  const checks: Check[] = new Array(events.length)
  let next = 0
  let done = 0
  const work = async () => {
    for (let at = next++; at < events.length; at = next++) {
      const event = events[at]
      if (event === undefined) return
      checks[at] = await check(event, tree, verifying)
      verifying.tell(++done, events.length)
    }
  }
  await Promise.all(Array.from({ length: proofsAtOnce }, work))
  return checks
}

async function check(event: LedgerEvent, tree: SignedTree, { client, signal }: Verifying) {
  const leaf = await leafOf(event)
  const is = (wrong: string | null, index: number | null): Check => ({ wrong, index })
  if (leaf !== event.leaf) return is(`${nameOf(event)}: it differs from what was recorded.`, null)
  const asked = { position: event.position, tree_size: String(tree.size) }
  const proof = await client.ledger.getProof(asked, { signal }).catch((error: unknown) => {
    if (error instanceof ShippingLedgerError && error.reason === 'not_found') return null
    throw error
  })
  if (proof === null) return is(null, null)
  const { leaf_index: index, hashes } = proof
  const root = await provedRoot({ leaf, index, size: tree.size, hashes })
  if (root !== tree.rootHash) return is(`${nameOf(event)}: it is not in the signed tree.`, null)
  return is(null, index)
}

/** Leaves follow the order of the history, and only its end may be unsealed. */
function wrongPlaces(checks: readonly Check[]): readonly string[] {
  const found: string[] = []
  let last = -1
  let isOpen = false
  for (const [at, { wrong, index }] of checks.entries()) {
    if (wrong !== null) continue
    if (index === null) isOpen = true
    else if (isOpen) found.push(`An event before event ${at + 1} is missing from the signed tree.`)
    else if (index <= last) found.push(`Event ${at + 1} comes before the event that it follows.`)
    last = Math.max(last, index ?? last)
  }
  return found
}
