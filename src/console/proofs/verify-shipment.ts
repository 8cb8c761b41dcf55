import { i18n } from '@lingui/core'
import type { Client } from '../../client/create-client.ts'
import type { Schemas } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import {
  type Checkpoint,
  checkpointSigners,
  isIncluded,
  leafOf,
  ledgerKey,
  readCheckpoint,
  readKey,
} from '../../verifier/verify.mjs'
import { formatNumber } from '../languages/language.ts'

type LedgerEvent = Schemas['LedgerEvent']

/** A text in the language of the moment at which it is shown. */
type Sentence = () => string

export type Verdict = {
  /** The problems found, in the ledger's order; empty if all checks passed. */
  readonly wrong: readonly Sentence[]
  /** Events whose proof leads to the signed root. */
  readonly proved: number
  /** The newest events, which no checkpoint covers yet. */
  readonly notSealed: number
  /** The history is longer than the part that was checked. */
  readonly isCut: boolean
  readonly tree: Checkpoint
  /** The signing key as text; null if none of the service's keys signed the checkpoint. */
  readonly signedBy: string | null
}

/** Each event needs a request for its proof; for longer histories, use an export. */
export const eventsMax = 1_000
const pageEvents = 100
/** Concurrent requests for proofs. */
const proofsAtOnce = 4

type Verifying = {
  readonly client: Client
  readonly signal: AbortSignal
  /** Reports the number of events checked so far, and the total. */
  tell(done: number, of: number): void
}

/**
 * Checks a shipment's whole history against the last signed checkpoint, entirely in the browser, with
 * the verifier that is in evidence bundles, so that the operator does not have to trust the service's
 * own verdict.
 */
export async function verifyShipment(id: string, verifying: Verifying): Promise<Verdict> {
  const { client, signal } = verifying
  if (!globalThis.isSecureContext) {
    throw new Unverifiable(() =>
      i18n.t('Browsers compute digests only on pages loaded over https or from localhost.'),
    )
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
  const tree = readCheckpoint(note)
  if (tree === null || tree.size === 0) {
    throw new Unverifiable(() => i18n.t('The checkpoint is malformed.'))
  }
  const signedBy = await signerOf(tree, keys.data)
  // An unsigned checkpoint proves nothing, so no proof is requested against it.
  const checks = signedBy === null ? [] : await checkEach(events, tree, verifying)
  const wrong = [
    ...(events.length === 0 ? [isEmpty] : []),
    ...(signedBy === null ? [isUnsigned] : []),
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

/** The key that signed the checkpoint, as text. Throws in a browser without Ed25519. */
async function signerOf(
  checkpoint: Checkpoint,
  listed: readonly Schemas['LedgerKey'][],
): Promise<string | null> {
  const keys = await Promise.all(listed.map(({ verifier }) => readKey(verifier, ledgerKey)))
  const [signer] = await checkpointSigners(
    checkpoint,
    keys.filter((key) => key !== null),
  )
  return signer?.text ?? null
}

/** A check that could not be made. */
class Unverifiable extends Error {
  readonly #sentence: Sentence

  constructor(sentence: Sentence) {
    super(sentence())
    this.#sentence = sentence
  }

  override toString(): string {
    return this.#sentence()
  }
}

const isEmpty = () => i18n.t('There are no events, but every history begins with one.')
const isUnsigned = () => i18n.t('No key of this ledger has signed the checkpoint.')

function numberOf({ revision }: LedgerEvent): string {
  return formatNumber(revision + 1)
}

function wrongInOrder(
  id: string,
  event: LedgerEvent,
  index: number,
  events: readonly LedgerEvent[],
): readonly Sentence[] {
  const found: Sentence[] = []
  if (event.revision !== index) {
    found.push(() =>
      i18n.t('Event {number}, {type}: it is out of order, at position {position}.', {
        number: numberOf(event),
        type: event.type,
        position: formatNumber(index + 1),
      }),
    )
  }
  if (event.shipment_id !== id) {
    found.push(() =>
      i18n.t('Event {number}, {type}: it belongs to another shipment.', {
        number: numberOf(event),
        type: event.type,
      }),
    )
  }
  if (event.correlation_id !== events[0]?.id) {
    found.push(() =>
      i18n.t('Event {number}, {type}: it belongs to another history.', {
        number: numberOf(event),
        type: event.type,
      }),
    )
  }
  return found
}

/** `index` is the position among all leaves, or null if the event is not sealed yet. */
type Check = { readonly wrong: Sentence | null; readonly index: number | null }

async function checkEach(
  events: readonly LedgerEvent[],
  tree: Checkpoint,
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

async function check(event: LedgerEvent, tree: Checkpoint, { client, signal }: Verifying) {
  const leaf = await leafOf(event)
  const is = (wrong: Sentence | null, index: number | null): Check => ({ wrong, index })
  if (leaf !== event.leaf) {
    return is(
      () =>
        i18n.t('Event {number}, {type}: it differs from what was recorded.', {
          number: numberOf(event),
          type: event.type,
        }),
      null,
    )
  }
  const asked = { position: event.position, tree_size: String(tree.size) }
  const proof = await client.ledger.getProof(asked, { signal }).catch((error: unknown) => {
    if (error instanceof ShippingLedgerError && error.reason === 'not_found') return null
    throw error
  })
  if (proof === null) return is(null, null)
  const { leaf_index: index, hashes } = proof
  if (!(await isIncluded(leaf, index, hashes, tree))) {
    return is(
      () =>
        i18n.t('Event {number}, {type}: it is not in the signed tree.', {
          number: numberOf(event),
          type: event.type,
        }),
      null,
    )
  }
  return is(null, index)
}

function missingBefore(event: number): string {
  return i18n.t('An event before event {number} is missing from the signed tree.', {
    number: formatNumber(event),
  })
}

function tooEarly(event: number): string {
  return i18n.t('Event {number} is in the tree before the event that precedes it.', {
    number: formatNumber(event),
  })
}

/** Checks that leaves follow the order of the history and that only its end is unsealed. */
function wrongPlaces(checks: readonly Check[]): readonly Sentence[] {
  const found: Sentence[] = []
  let last = -1
  let isOpen = false
  for (const [at, { wrong, index }] of checks.entries()) {
    if (wrong !== null) continue
    if (index === null) isOpen = true
    else if (isOpen) found.push(() => missingBefore(at + 1))
    else if (index <= last) found.push(() => tooEarly(at + 1))
    last = Math.max(last, index ?? last)
  }
  return found
}
