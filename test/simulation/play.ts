import { createHash, randomBytes } from 'node:crypto'
import { operations } from '../../projections/operations.ts'
import { nextDue } from '../../src/domain/reconciliation.ts'
import type { Shipment } from '../../src/domain/shipment.ts'
import { owingOperations } from '../../src/domain/shipment-operations.ts'
import { decodeEvent } from '../../src/event-store/codec.ts'
import { memoryEventStore } from '../../src/event-store/memory.ts'
import { loadShipment, transact } from '../../src/event-store/transact.ts'
import { unwrapKey, wrapKey } from '../../src/security/encryption.ts'
import { type MasterKeys, masterKeys } from '../../src/security/secrets-types.ts'
import { ownerParts } from '../../src/security/vault.ts'
import { outbox } from '../../src/webhooks/outbox.ts'
import type { Told } from '../../src/webhooks/tell.ts'
import { type CourierTruth, courierTruth } from './courier-truth.ts'
import { atRest } from './invariants.ts'
import { memoryClaims } from './memory-claims.ts'
import { MemoryReadModel } from './memory-read-model.ts'
import { memoryVaultRows } from './memory-vault-rows.ts'
import { earlyMs, type Mutant } from './mutants.ts'
import { observedStore } from './observed.ts'
import {
  type Outside,
  reconcileDue,
  type ServiceNode,
  serviceNode,
  startLoops,
  ToldOnce,
} from './service-node.ts'
import { type Answers, shops } from './shops.ts'
import { calm, VirtualProcess, type Weather } from './virtual-process.ts'
import { inWorld, type World } from './virtual-time.ts'

/** How a run went. */
export type Played = {
  readonly seed: number
  /** What was wrong; empty = nothing was. */
  readonly violations: readonly string[]
  readonly keys: number
  readonly crashes: number
  readonly guides: number
  readonly events: number
  /** Operations whose outcome was not known for a while. */
  readonly unknown: number
  /** SHA-256 of the whole ledger: two runs of a seed are the same to the last byte. */
  readonly ledger: string
}

const crashes = [0, 0.001, 0.004, 0.012] as const
const pauses = [0, 0.001, 0.003] as const
const storeFaults = [0, 0.01, 0.05] as const
/** Far more than all that a run's operations ever owe. */
const stepsMax = 2_000
/** Every append rings; looking without having heard it is for what never happens here. */
const pollMs = 20_000
/** An answer, a retry of it and an append that arrives late are all over after this. */
const calmAfterMs = 75_000

/** Plays a whole life of a service from a seed: the same seed and the same code play the same. */
export async function play(seed: number, mutant: Mutant | null = null): Promise<Played> {
  try {
    return await inWorld(seed, (world) => new Run(world, mutant).play(seed))
  } catch (error) {
    return { seed, violations: [String(error)], ...nothingHappened }
  }
}

const nothingHappened = { keys: 0, crashes: 0, guides: 0, events: 0, unknown: 0, ledger: '' }

class Run {
  readonly #world: World
  readonly #violations: string[] = []
  readonly #broken = Promise.withResolvers<void>()
  readonly #states = new Map<string, Shipment>()
  readonly #rows
  readonly #truth: CourierTruth
  readonly #outside: Outside
  readonly #answers: Answers = new Map()
  readonly #nodes: ServiceNode[] = []
  readonly #stopLoops = new AbortController()
  #weather: Weather
  #keys: MasterKeys = masterKeys(randomBytes(32).toString('base64'))
  #crashes = 0
  #started = 0
  #settledTo = ''
  #isOpen = true

  constructor(world: World, mutant: Mutant | null) {
    const pick = <T>(choices: readonly T[]) =>
      choices[Math.floor(world.chance() * choices.length)] as T
    this.#world = world
    this.#weather = { crash: pick(crashes), pause: pick(pauses), storeFault: pick(storeFaults) }
    const quota = world.happens(0.3) ? Math.ceil(world.between(1, 4)) : null
    this.#rows = memoryVaultRows(() => quota)
    const model = new MemoryReadModel(operations)
    this.#truth = courierTruth(world, {
      keepsNotAfter: mutant !== 'ignores_not_after',
      onGuide: (guide, notAfter) => {
        const others = this.#truth.of(guide.reference).filter(({ isTwin }) => !isTwin)
        if (others.length > 1) this.#violate(`a second guide for ${guide.reference}`)
        if (Date.now() > notAfter.getTime()) this.#violate('a guide was made after not_after')
      },
    })
    this.#outside = {
      ...{ world, model, mutant, rows: this.#rows, outbox: new ToldOnce() },
      store: observedStore(memoryEventStore(pollMs), {
        ...{ states: this.#states, truth: this.#truth, violate: (what) => this.#violate(what) },
      }),
      claims: memoryClaims(() =>
        model.rows<{ due_at: string | null }>('timers').flatMap((row) =>
          row.due_at === null
            ? []
            : [
                {
                  shipmentId: row.shipment_id,
                  dueAt: Date.parse(row.due_at),
                  clockOffsetMs: mutant === 'early_absence' ? earlyMs : 0,
                },
              ],
        ),
      ),
      courierFrom: (process) => this.#truth.from(process),
      keys: () => this.#keys,
      settleQuota: () => this.#settleQuota(),
    }
  }

  /** The first promise that is broken ends it: what comes of that says nothing any more. */
  async play(seed: number): Promise<Played> {
    const broken = this.#broken.promise.then(() => nothingHappened)
    const played = await Promise.race([this.#play(), broken])
    return { ...played, seed, violations: [...new Set(this.#violations)] }
  }

  async #play(): Promise<Omit<Played, 'seed' | 'violations'>> {
    const world = this.#world
    const processes = Math.ceil(world.between(0, 3))
    for (let count = 0; count < processes; count++) this.#start()
    const events = world.happens(0.3) ? this.#rotate() : Promise.resolve()
    if (world.happens(0.2)) void this.#moveClock()
    const orders = shops(world, {
      store: this.#outside.store,
      nodes: () => this.#nodes.filter(({ process }) => !process.isDead),
      answers: this.#answers,
      violate: (what) => this.#violate(what),
    })
    await Promise.all([...orders.map((order) => order()), events])
    await this.#end().catch((error: unknown) => this.#violate(`it cannot go on: ${String(error)}`))
    const { guides } = this.#truth
    const attempts = [...this.#states.values()].flatMap(({ attempts }) => attempts)
    return {
      ...{ keys: orders.length, crashes: this.#crashes, guides: guides.length },
      events: [...this.#states.values()].reduce((sum, { version }) => sum + version, 0),
      ledger: await this.#digest(),
      unknown: attempts.filter(({ unknownAt }) => unknownAt !== null).length,
    }
  }

  async #digest(): Promise<string> {
    const { events } = await this.#outside.store.readAll(null, { limit: 10_000 })
    return createHash('sha256').update(JSON.stringify(events)).digest('hex')
  }

  async #end(): Promise<void> {
    await this.#calmDown()
    await this.#comeToRest()
    const found = await atRest({
      ...{ states: this.#states, truth: this.#truth, rows: this.#rows, answers: this.#answers },
      ...{ outside: this.#outside, keys: this.#keys },
    })
    for (const each of found) this.#violate(each)
  }

  #violate(what: string): void {
    this.#violations.push(what)
    this.#broken.resolve()
  }

  #start(): ServiceNode {
    const process = new VirtualProcess(
      `process ${++this.#started}`,
      this.#world,
      () => this.#weather,
      () => void this.#startAgain(),
    )
    const node = serviceNode(this.#outside, process)
    this.#nodes.push(node)
    startLoops(this.#outside, node, this.#stopLoops.signal)
    return node
  }

  async #startAgain(): Promise<void> {
    this.#crashes += 1
    await this.#world.sleep(this.#world.between(100, 15_000))
    if (this.#isOpen) this.#start()
  }

  /** A new master key: every process starts anew with both, then the rows are wrapped one by one. */
  async #rotate(): Promise<void> {
    const world = this.#world
    await world.sleep(world.between(500, 20_000))
    const before = this.#keys
    const current = masterKeys(randomBytes(32).toString('base64'))
    this.#keys = { current: current.current, previous: [before.current] }
    for (const { process } of this.#nodes) process.crash()
    for (const [ref, row] of [...this.#rows.rows]) {
      await world.sleep(world.between(1, 200))
      const parts = ownerParts(row, ref)
      if (!this.#rows.rows.has(ref)) continue
      const dataKey = unwrapKey(this.#keys, row, parts)
      this.#rows.rewrap(ref, { ...row, ...wrapKey(this.#keys, dataKey, parts) })
    }
  }

  async #moveClock(): Promise<void> {
    const world = this.#world
    await world.sleep(world.between(500, 30_000))
    world.setClock(world.happens(0.5) ? world.between(100, 60_000) : -world.between(1, 1_500))
  }

  #settleQuota(): void {
    const settlements = this.#outside.model
      .rows<{ position: string; is_counted: boolean }>('settlements')
      .filter(({ position }) => position > this.#settledTo)
      .sort((a, b) => (a.position < b.position ? -1 : 1))
    for (const { shipment_id: id, version, is_counted: isHeld, position } of settlements) {
      this.#rows.settle(id, version, isHeld)
      this.#settledTo = position
    }
  }

  /** Nothing goes wrong any more: what is under way ends, and what was told is written down. */
  async #calmDown(): Promise<void> {
    this.#weather = calm
    this.#truth.calm()
    this.#isOpen = false
    this.#stopLoops.abort()
    await this.#world.sleep(calmAfterMs)
    const running = this.#nodes.filter(({ process }) => !process.isDead)
    await Promise.all(running.map(({ deps }) => deps.underway.idle()))
    for (const { process } of running) process.end()
    await this.#world.sleep(1_000)
    this.#world.dropTimers()
  }

  /** One process does all that is owed, from one moment at which something is due to the next. */
  async #comeToRest(): Promise<void> {
    const process = new VirtualProcess(
      'the last',
      this.#world,
      () => calm,
      () => {},
    )
    const node = serviceNode(this.#outside, process)
    await this.#eraseSome(node)
    for (let step = 0; ; step++) {
      await this.#catchUp(node)
      this.#settleQuota()
      const due = [...this.#states.values()].flatMap(
        (state) => nextDue(owingOperations(state)) ?? [],
      )
      const first = due.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY)
      if (first === Number.POSITIVE_INFINITY) return await this.#tellRest(node)
      if (step > stepsMax) return this.#violate('what is owed never comes to an end')
      await this.#world.sleep(Math.max(0, first - Date.now()) + 1_000)
      await reconcileDue(node)
    }
  }

  async #eraseSome({ deps }: ServiceNode): Promise<void> {
    for (const shipmentId of this.#states.keys()) {
      if (!this.#world.happens(0.15)) continue
      const from = await loadShipment(deps.store, shipmentId)
      const done = await transact(
        deps.store,
        shipmentId,
        { do: 'erase_personal_data' },
        { actor: { type: 'cli', keyId: null }, requestId: null, now: Date.now(), from },
      )
      if (done.kind === 'done') await deps.vault.eraseShipment(shipmentId)
    }
  }

  async #tellRest({ deps }: ServiceNode): Promise<void> {
    const { outbox: told, store } = this.#outside
    const rest: Told[] = []
    const telling = outbox(deps.store, async (_tx, more) => void rest.push(...more))
    const { events, last } = await store.readAll(told.position, { limit: 10_000 })
    if (last === null || last === told.position) return
    await telling.apply(
      undefined as never,
      String,
      events.map((event) => decodeEvent(event)),
    )
    told.commit(told.position, last, rest)
  }

  async #catchUp({ deps }: ServiceNode): Promise<void> {
    const { model, store } = this.#outside
    for (;;) {
      const page = await store.readAll(model.position, { limit: 500, prefixes: model.prefixes })
      if (page.last === null || page.last === model.position) return
      const apply = await model.prepare(deps.store, page.events, new Map())
      apply(model.position, page.last)
    }
  }
}
