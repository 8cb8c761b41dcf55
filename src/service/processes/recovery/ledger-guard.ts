import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { Problem } from '../../errors.ts'
import type { HistoryDiverged } from '../../event-store/event-store.ts'
import type { Log } from '../../log.ts'
import { Signal } from '../../queue/signal.ts'
import {
  addFindFirstCounts,
  type Damage,
  damageOf,
  damageSentence,
  type FindFirst,
  type FoundDamage,
  latchDamage,
  noCounts,
  readCondition,
  recoverCommand,
} from './damages.ts'

/** Another process may have found a damage, or an operator may have recovered the ledger. */
const readEveryMs = 2_000
const failedMs = 500
/** By then every process has read a damage that was recorded. */
export const noticedEverywhereMs = readEveryMs + failedMs
/** The `Retry-After` for clients: an operator has to act. */
const damagedRetryAfterSeconds = 60

/** How a store and the guard tell each other about lost events. */
export type DamageSigns = {
  readonly onDiverged: (error: HistoryDiverged) => void
  /** Whether any process has found a damage; reads the database. */
  readonly isDamaged: () => Promise<boolean>
}

type GuardDeps = {
  readonly db: Kysely<Tables>
  readonly log: Log
  /** Called when a damage is found, and after a recovery. */
  readonly restartStore: () => void
}

/**
 * Whether the ledger can be trusted. A damage is latched: it is recorded in the database, where
 * every process sees it, and ends only when an operator recovers the ledger. Until then no new
 * courier calls are made, and projections, sealing and due work are stopped.
 */
export class LedgerGuard {
  readonly #deps: GuardDeps
  #damage: Damage | null = null
  /** A damage found by this process that the database does not have yet. */
  #unwritten: Damage | null = null
  /** The number of recoveries at the last read; null before the first read. */
  #recoveries: number | null = null
  #findFirst: FindFirst | null = null
  #counts = noCounts
  readonly #changed = new Signal()
  /** Aborted while the ledger is damaged; replaced after a recovery. */
  #intact = new AbortController()

  constructor(deps: GuardDeps) {
    this.#deps = deps
  }

  /** The damage known to this process; null while the ledger is intact. */
  get damage(): Damage | null {
    return this.#damage
  }

  /** Whether the courier is queried first for a key without a stream, and under which recovery. */
  get findFirst(): FindFirst | null {
    const isOver = (this.#findFirst?.until.getTime() ?? 0) <= Date.now()
    return isOver ? null : this.#findFirst
  }

  /** Throws the Problem `ledger_damaged` while the ledger is damaged. */
  refuseWhileDamaged(): void {
    if (this.#damage !== null) throw ledgerDamaged()
  }

  /** For this process's store: a damage that it finds takes effect at once. */
  signs(): DamageSigns {
    return {
      onDiverged: (error) => this.notice(damageOf('process', error)),
      isDamaged: async () => {
        await this.read()
        return this.#damage !== null
      },
    }
  }

  /** Latches a damage: takes effect in this process at once, then is recorded. */
  notice(found: FoundDamage): void {
    if (this.#damage !== null) return
    this.#unwritten = { ...found, id: randomUUID(), noticedAt: new Date() }
    this.#enter(this.#unwritten)
    this.#changed.notify()
  }

  /** Reads damages found by other processes, and recoveries. */
  async read(): Promise<void> {
    if (this.#unwritten !== null) {
      await latchDamage(this.#deps.db, this.#unwritten.id, this.#unwritten)
    }
    const { damage, recovered, findFirst } = await readCondition(this.#deps.db)
    const hasRecovered = this.#recoveries !== null && recovered.length > this.#recoveries
    this.#recoveries = recovered.length
    this.#findFirst = findFirst
    if (damage !== null) {
      this.#unwritten = null
      this.#enter(damage)
    } else if (this.#damage !== null) {
      if (hasRecovered || recovered.includes(this.#damage.id)) this.#leave()
      // The database was replaced by one that does not know the damage: it is recorded again.
      else this.#unwritten = this.#damage
    } else if (hasRecovered) {
      // A damage was found and recovered since the last read.
      this.#deps.restartStore()
    }
  }

  /** Reads periodically and records what was found, until aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { log, db } = this.#deps
    while (!signal.aborted) {
      const seen = this.#changed.count
      let waitMs = readEveryMs
      try {
        await this.read()
        await this.#writeCounts(db)
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'the condition of the ledger cannot be read')
        waitMs = failedMs
      }
      await this.#changed.wait(seen, waitMs, signal)
    }
    await this.#writeCounts(db).catch(() => undefined)
  }

  /**
   * Runs the work while the ledger is intact: its signal aborts when a damage is found, and the
   * work starts again after a recovery.
   */
  async whileIntact(
    signal: AbortSignal,
    run: (intact: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    while (!signal.aborted) {
      const { signal: intact } = this.#intact
      if (!intact.aborted) await run(AbortSignal.any([signal, intact]))
      if (signal.aborted) return
      const seen = this.#changed.count
      if (this.#damage !== null) await this.#changed.wait(seen, readEveryMs, signal)
    }
  }

  /** Counts a key whose courier was queried first, and the result. */
  countFindFirst(ended: 'found' | 'created' | 'other'): void {
    const { asked, found, created } = this.#counts
    this.#counts = {
      asked: asked + 1,
      found: found + (ended === 'found' ? 1 : 0),
      created: created + (ended === 'created' ? 1 : 0),
    }
  }

  async #writeCounts(db: Kysely<Tables>): Promise<void> {
    const counts = this.#counts
    const damageId = this.#findFirst?.damageId
    if (counts.asked === 0 || damageId === undefined) return
    await addFindFirstCounts(db, damageId, counts)
    const { asked, found, created } = this.#counts
    this.#counts = {
      asked: asked - counts.asked,
      found: found - counts.found,
      created: created - counts.created,
    }
  }

  #enter(damage: Damage): void {
    const isNew = this.#damage === null
    this.#damage = damage
    if (!isNew) return
    const { id, source: kind, expectedPosition, expectedEventId, foundEventId } = damage
    this.#deps.log.error(
      { code: 'ledger_damaged', id, kind, expectedPosition, expectedEventId, foundEventId },
      `${damageSentence(damage)} No courier is called until an operator has recovered the ledger: start with "${recoverCommand}".`,
    )
    this.#intact.abort()
    this.#deps.restartStore()
  }

  #leave(): void {
    this.#deps.log.info({ id: this.#damage?.id }, 'the ledger was recovered')
    this.#damage = null
    this.#unwritten = null
    this.#deps.restartStore()
    this.#intact = new AbortController()
    this.#changed.notify()
  }
}

export function ledgerDamaged(): Problem {
  return new Problem('ledger_damaged', { retryAfterSeconds: damagedRetryAfterSeconds })
}

export type Guard = Pick<
  LedgerGuard,
  'damage' | 'findFirst' | 'refuseWhileDamaged' | 'countFindFirst' | 'read'
>
