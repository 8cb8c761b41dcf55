import { isConsistent } from '../../domain/ledger/merkle.ts'
import { signersOf, type Verifier } from '../signed-note.ts'
import { readSubmission, sizeContentType } from './add-checkpoint.ts'
import { readCheckpoint } from './any-checkpoint.ts'
import { cosign } from './cosignature.ts'
import type { WitnessState } from './witness-state.ts'

export type WitnessAnswer = {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422
  readonly contentType: string
  readonly text: string
}

type WitnessOptions = {
  readonly state: WitnessState
  /** The keys of the ledgers, each named after its ledger. A ledger may have several keys. */
  readonly ledgers: readonly Verifier[]
  readonly now: () => Date
}

/**
 * Answers submissions as in C2SP tlog-witness. Submissions of one ledger are processed one at a
 * time.
 */
export function witness({ state, ledgers, now }: WitnessOptions) {
  const origins = new Set(ledgers.map(({ name }) => name))
  const lastByOrigin = new Map<string, Promise<unknown>>()

  const afterOthers = <T>(origin: string, work: () => Promise<T>): Promise<T> => {
    const before = lastByOrigin.get(origin) ?? Promise.resolve()
    const done = before.then(work, work)
    lastByOrigin.set(origin, done)
    return done
  }

  return {
    /** Throws if the checkpoint could not be stored, and then does not cosign it. */
    async add(body: string): Promise<WitnessAnswer> {
      const submission = readSubmission(body)
      const checkpoint = submission === null ? null : readCheckpoint(submission.note)
      if (submission === null || checkpoint === null) return plainText(400, 'malformed')
      const { origin, size, root, text } = checkpoint
      if (!origins.has(origin)) return plainText(404, 'unknown ledger')
      if (signersOf({ ...checkpoint, head: { origin } }, ledgers).length === 0) {
        return plainText(403, 'no signature by a key of this ledger')
      }
      const { old, proof, note } = submission
      if (old > size) return plainText(400, 'old is larger than the checkpoint')
      return await afterOthers(origin, async () => {
        const seen = state.seen(origin)
        if (old !== seen.size) return sizeConflict(seen.size)
        if (old === size && !root.equals(seen.root)) {
          await state.keepEvidence('contradiction', note)
          return sizeConflict(seen.size)
        }
        if (!continues({ seen, size, root, proof })) {
          await state.keepEvidence('unproved', note)
          return plainText(422, 'the proof does not show that the tree has only grown')
        }
        // Stored on disk before anything is signed.
        if (size > seen.size) await state.keep(origin, { size, root, note })
        const seconds = BigInt(Math.floor(now().getTime() / 1_000))
        return {
          status: 200,
          contentType: 'text/plain; charset=utf-8',
          text: cosign(text, state.signer, seconds),
        }
      })
    },
  }
}

function continues(grown: {
  readonly seen: { readonly size: number; readonly root: Buffer }
  readonly size: number
  readonly root: Buffer
  readonly proof: readonly Buffer[]
}): boolean {
  const { seen, size, root, proof } = grown
  // Every tree continues the empty tree and itself, without a proof.
  if (seen.size === 0 || seen.size === size) return proof.length === 0
  return isConsistent({ from: seen.size, fromRoot: seen.root, to: size, toRoot: root, proof })
}

function plainText(status: WitnessAnswer['status'], problem: string): WitnessAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', text: `${problem}\n` }
}

function sizeConflict(size: number): WitnessAnswer {
  return { status: 409, contentType: sizeContentType, text: `${size}\n` }
}
