import type { Kysely } from 'kysely'
import { Agent } from 'undici'
import type { Tables } from '../../../../projections/tables.ts'
import type { Log } from '../../log.ts'
import { pause } from '../../pause.ts'
import { type FoundDamage, noDamage } from '../../processes/recovery/damages.ts'
import type { Signal } from '../../queue/signal.ts'
import { lastCheckpoint } from '../checkpoints.ts'
import { isOfLostHistory, keepCosignature, lastCosigned } from './stored-cosignatures.ts'
import { type Submitted, submit, type Witness } from './submit.ts'

export type WitnessingDeps = {
  readonly db: Kysely<Tables>
  readonly log: Log
  readonly witnesses: readonly Witness[]
  /** Called when a submission to the witness has ended. */
  readonly witnessSubmitted: (name: string, outcome: Submitted['outcome'] | 'failed') => void
  /** Called when a witness has cosigned events that the ledger no longer has. */
  readonly damageNoticed: (found: FoundDamage) => void
}

/** The shortest time between two submissions to a witness. */
const submitEveryMs = 1_000
/** After failures the pause doubles up to this. */
const failedRestMsMax = 30_000
/** Checked this often even without a notification, because another process may have signed. */
const lookEveryMs = 10_000

/**
 * Submits the newest checkpoint to every witness, one submission at a time for each, until the
 * signal aborts. The sealer never waits for it. Never rejects.
 */
export async function runWitnessing(
  deps: WitnessingDeps,
  signed: Signal,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(deps.witnesses.map((witness) => follow(deps, witness, signed, signal)))
}

async function follow(
  deps: WitnessingDeps,
  witness: Witness,
  signed: Signal,
  signal: AbortSignal,
): Promise<void> {
  const dispatcher = new Agent({ connections: 1, pipelining: 1 })
  let failures = 0
  try {
    while (!signal.aborted) {
      const seen = signed.count
      const outcome = await submitNewest({ ...deps, dispatcher }, witness, signal)
      if (signal.aborted) return
      if (outcome === 'nothing') {
        await signed.wait(seen, lookEveryMs, signal)
        continue
      }
      failures = outcome === 'cosigned' ? 0 : failures + 1
      const restMs = Math.min(submitEveryMs * 2 ** failures, failedRestMsMax)
      await pause(failures === 0 ? submitEveryMs : restMs, signal)
    }
  } finally {
    await dispatcher.destroy().catch(() => undefined)
  }
}

/** Submits the newest checkpoint, unless the witness has already cosigned it. */
async function submitNewest(
  {
    db,
    log,
    witnessSubmitted,
    damageNoticed,
    dispatcher,
  }: WitnessingDeps & { readonly dispatcher: Agent },
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
      witnessSubmitted(name, 'cosigned')
      return 'cosigned'
    }
    if (told.outcome === 'contradicted' && (told.size ?? 0) > checkpoint.size) {
      // Another process has signed and submitted a newer checkpoint in the meantime.
      if (((await lastCheckpoint(db))?.size ?? 0) >= (told.size ?? 0)) return 'failed'
    }
    witnessSubmitted(name, told.outcome)
    report(log, witness, checkpoint.size, told)
    if (told.outcome === 'contradicted' && !(await isOfLostHistory(db, witness))) {
      damageNoticed({ ...noDamage, source: 'witness', expectedSize: told.size ?? known })
    }
    return 'failed'
  } catch (error) {
    witnessSubmitted(name, 'failed')
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
