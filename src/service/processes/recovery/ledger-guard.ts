import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import { Problem } from '../../errors.ts'
import type { HistoryDiverged } from '../../event-store/event-store.ts'
import { Wake } from '../../event-store/wake.ts'
import type { Log } from '../../log.ts'
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

/** Another process may have found a damage, or a person may have recovered the ledger. */
const readEveryMs = 2_000
const failedMs = 500
/** A damage that was written down has been read by every process after this. */
export const noticedEverywhereMs = readEveryMs + failedMs
/** What a client is told to wait: a person has to act. */
const damagedRetryAfterSeconds = 60

/** How a store and the guard tell each other of lost events. */
export type DamageSigns = {
  readonly onDiverged: (error: HistoryDiverged) => void
  /** Whether any process has found a damage, freshly read. */
  readonly isDamaged: () => Promise<boolean>
}

type GuardDeps = {
  readonly db: Kysely<ReadModels>
  readonly log: Log
  /** Called when the ledger is found damaged, and when it was recovered. */
  readonly restartStore: () => void
}

/**
 * Whether the ledger may be trusted. A damage is latched: it is written down in the database, where
 * every process sees it, and ends only when a person has recovered the ledger. While it lasts,
 * nothing new is asked of a courier, and projections, sealing and due work stand still.
 */
export class LedgerGuard {
  readonly #deps: GuardDeps
  #damage: Damage | null = null
  /** Set until the database has the damage that this process has found. */
  #unwritten: Damage | null = null
  /** How many damages were recovered when it was last read; null = it was never read. */
  #recoveries: number | null = null
  #findFirst: FindFirst | null = null
  #counts = noCounts
  readonly #changed = new Wake()
  /** Aborted while the ledger is damaged; replaced when it was recovered. */
  #intact = new AbortController()

  constructor(deps: GuardDeps) {
    this.#deps = deps
  }

  /** The damage that this process knows of; null while the ledger is intact. */
  get damage(): Damage | null {
    return this.#damage
  }

  /** Whether, and under which recovery, a key without a stream is first asked of its courier. */
  get findFirst(): FindFirst | null {
    const isOver = (this.#findFirst?.until.getTime() ?? 0) <= Date.now()
    return isOver ? null : this.#findFirst
  }

  /** Throws the Problem `ledger_damaged` while the ledger is damaged. */
  refuseWhileDamaged(): void {
    if (this.#damage !== null) throw ledgerDamaged()
  }

  /** For the store of this process: what it finds takes effect at once. */
  signs(): DamageSigns {
    return {
      onDiverged: (error) => this.notice(damageOf('process', error)),
      isDamaged: async () => {
        await this.read()
        return this.#damage !== null
      },
    }
  }

  /** Latches a damage. Takes effect in this process at once, and is then written down. */
  notice(found: FoundDamage): void {
    if (this.#damage !== null) return
    this.#unwritten = { ...found, id: randomUUID(), noticedAt: new Date() }
    this.#enter(this.#unwritten)
    this.#changed.ring()
  }

  /** Reads what other processes have found, and whether the ledger was recovered. */
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
      // The database was replaced by one that does not know the damage: it is written down again.
      else this.#unwritten = this.#damage
    } else if (hasRecovered) {
      // Found and recovered since the last read.
      this.#deps.restartStore()
    }
  }

  /** Reads again and again, and writes down what was found, until the signal. */
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
   * Runs the work while the ledger is intact: its signal aborts when the ledger is found damaged, and
   * the work runs again once the ledger was recovered.
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

  /** Counts a key that was asked of its courier first, and how that ended. */
  countFindFirst(ended: 'found' | 'created' | 'other'): void {
    const { asked, found, created } = this.#counts
    this.#counts = {
      asked: asked + 1,
      found: found + (ended === 'found' ? 1 : 0),
      created: created + (ended === 'created' ? 1 : 0),
    }
  }

  async #writeCounts(db: Kysely<ReadModels>): Promise<void> {
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
      `${damageSentence(damage)} Nothing is asked of couriers until a person has recovered the ledger: start with "${recoverCommand}".`,
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
    this.#changed.ring()
  }
}

export function ledgerDamaged(): Problem {
  return new Problem('ledger_damaged', { retryAfterSeconds: damagedRetryAfterSeconds })
}

export type Guard = Pick<
  LedgerGuard,
  'damage' | 'findFirst' | 'refuseWhileDamaged' | 'countFindFirst' | 'read'
>
