import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { Agent } from 'undici'
import type { ReadModels } from '../../../../projections/tables.ts'
import type { Wake } from '../../event-store/wake.ts'
import type { Log } from '../../log.ts'
import { type FoundDamage, noDamage } from '../../processes/recovery/damages.ts'
import { lastCheckpoint } from '../checkpoints.ts'
import { isOfLostHistory, keepCosignature, lastCosigned } from './stored-cosignatures.ts'
import { type Submitted, submit, type Witness } from './submit.ts'

export type WitnessingDeps = {
  readonly db: Kysely<ReadModels>
  readonly log: Log
  readonly witnesses: readonly Witness[]
  /** A submission to the witness of that name ended. */
  readonly submitted: (name: string, outcome: Submitted['outcome'] | 'failed') => void
  /** A witness has cosigned what the ledger no longer holds. */
  readonly noticed: (found: FoundDamage) => void
}

/** From one submission to a witness to the next, at least. */
const submitEveryMs = 1_000
/** After failures the rest doubles up to this. */
const failedRestMsMax = 30_000
/** The checkpoint is looked for without a signal too, because another process may have signed. */
const lookEveryMs = 10_000

/**
 * Submits the newest checkpoint to every witness, one submission at a time each, until the signal
 * aborts. Runs beside the sealer, which never waits for it. Never rejects.
 */
export async function runWitnessing(
  deps: WitnessingDeps,
  signed: Wake,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(deps.witnesses.map((witness) => follow(deps, witness, signed, signal)))
}

async function follow(
  deps: WitnessingDeps,
  witness: Witness,
  signed: Wake,
  signal: AbortSignal,
): Promise<void> {
  const dispatcher = new Agent({ connections: 1, pipelining: 1 })
  let failures = 0
  try {
    while (!signal.aborted) {
      const seen = signed.count
      const outcome = await turn({ ...deps, dispatcher }, witness, signal)
      if (signal.aborted) return
      if (outcome === 'nothing') {
        await signed.wait(seen, lookEveryMs, signal)
        continue
      }
      failures = outcome === 'cosigned' ? 0 : failures + 1
      const restMs = Math.min(submitEveryMs * 2 ** failures, failedRestMsMax)
      await delay(failures === 0 ? submitEveryMs : restMs, undefined, { signal }).catch(
        () => undefined,
      )
    }
  } finally {
    await dispatcher.destroy().catch(() => undefined)
  }
}

/** Submits the newest checkpoint, unless the witness has cosigned it. */
async function turn(
  { db, log, submitted, noticed, dispatcher }: WitnessingDeps & { readonly dispatcher: Agent },
  witness: Witness,
  signal: AbortSignal,
): Promise<'cosigned' | 'nothing' | 'failed'> {
  const { name } = witness
  try {
    const checkpoint = await lastCheckpoint(db)
    const { size: known } = await lastCosigned(db, witness)
    if (checkpoint === null || checkpoint.size <= known) return 'nothing'
    const told = await submit({ db, dispatcher, signal }, witness, checkpoint, known)
    if (signal.aborted) return 'failed'
    if (told.outcome === 'cosigned') {
      await keepCosignature(db, checkpoint.size, told.cosignature)
      submitted(name, 'cosigned')
      return 'cosigned'
    }
    if (told.outcome === 'contradicted' && (told.size ?? 0) > checkpoint.size) {
      // Another process has signed and submitted a newer checkpoint meanwhile.
      if (((await lastCheckpoint(db))?.size ?? 0) >= (told.size ?? 0)) return 'failed'
    }
    submitted(name, told.outcome)
    report(log, witness, checkpoint.size, told)
    if (told.outcome === 'contradicted' && !(await isOfLostHistory(db, witness))) {
      noticed({ ...noDamage, source: 'witness', expectedSize: told.size ?? known })
    }
    return 'failed'
  } catch (error) {
    submitted(name, 'failed')
    log.error({ err: error, witness: name }, 'a checkpoint could not be submitted to a witness')
    return 'failed'
  }
}

type NotCosigned = Exclude<Submitted, { readonly outcome: 'cosigned' }>

function report(log: Log, { name }: Witness, size: number, told: NotCosigned): void {
  const at = { witness: name, size }
  switch (told.outcome) {
    case 'contradicted':
      log.error(
        { ...at, witnessSize: told.size },
        'a witness has cosigned another history of this ledger: run verify, and compare the checkpoints that it has seen',
      )
      return
    case 'rolled_back':
      log.error(
        { ...at, witnessSize: told.size },
        'a witness has forgotten checkpoints that it cosigned: its state was lost or replaced, so it needs a new key',
      )
      return
    case 'refused':
      log.warn({ ...at, status: told.status }, 'a witness refused a checkpoint')
      return
    case 'invalid':
      log.error(at, 'a witness answered without a valid cosignature of its key')
      return
    case 'unreachable':
      log.warn({ ...at, err: told.cause }, 'a witness did not answer')
      return
    default:
      told satisfies never
  }
}
