import { createHash } from 'node:crypto'
import { projections, shipmentProjection } from '../../projections/all.ts'
import type { Shipment } from '../../src/service/domain/shipment/shipment.ts'
import { memoryEventStore } from '../../src/service/event-store/memory.ts'
import { eraseSome, lookAfter, moveClock, newMasterKeys, rewrapAll } from './actors.ts'
import { type CourierTruth, courierTruth } from './courier-truth.ts'
import { atRest, evidenceIn } from './invariants.ts'
import { earlyMs, type Mutant } from './mutants.ts'
import { observedRows, observedStore } from './observed.ts'
import { besideTogether } from './ports/beside-together.ts'
import { memoryAccounts } from './ports/memory-accounts.ts'
import { memoryClaims } from './ports/memory-claims.ts'
import { memoryErasures } from './ports/memory-erasures.ts'
import { MemoryReadModel } from './ports/memory-read-model.ts'
import { type MemoryVaultRows, memoryVaultRows } from './ports/memory-vault-rows.ts'
import { comeToRest } from './rest.ts'
import {
  type Outside,
  type ServiceNode,
  serviceNode,
  startLoops,
  ToldOnce,
} from './service-node.ts'
import { type Answers, shops } from './shops.ts'
import { calm, VirtualProcess, type Weather } from './virtual-process.ts'
import { inWorld, type World } from './virtual-time.ts'

/** The result of a run. */
export type Played = {
  readonly seed: number
  /** The violations; empty if the run is correct. */
  readonly violations: readonly string[]
  readonly keys: number
  readonly crashes: number
  readonly guides: number
  readonly events: number
  /** Operations that were unknown for a while. */
  readonly unknown: number
  /** Shipments that were erased. */
  readonly erased: number
  /** How often the courier account was parked. */
  readonly parked: number
  /** SHA-256 of the whole ledger: two runs of a seed are identical to the last byte. */
  readonly ledger: string
}

/** The sums over several lives. */
export type Sum = Readonly<Record<keyof typeof noLives, number>>

export const noLives = {
  keys: 0,
  crashes: 0,
  guides: 0,
  events: 0,
  unknown: 0,
  erased: 0,
  parked: 0,
}

export function withLife(sum: Sum, played: Played): Sum {
  const names = Object.keys(noLives) as (keyof Sum)[]
  return Object.fromEntries(names.map((name) => [name, sum[name] + played[name]])) as Sum
}

const crashes = [0, 0.001, 0.004, 0.012] as const
const pauses = [0, 0.001, 0.003] as const
const storeFaults = [0, 0.01, 0.05] as const
/** Every append notifies, so polling is hardly needed. */
const pollMs = 20_000
/** After this, every answer, its retry and a late append are over. */
const calmAfterMs = 75_000

/**
 * Plays a whole life of a service from a seed: the same seed and the same code play the same life.
 */
export async function play(seed: number, mutant: Mutant | null = null): Promise<Played> {
  try {
    return await inWorld(seed, (world) => new Run(world, mutant, seed % 2 === 0).play(seed))
  } catch (error) {
    return { seed, violations: [String(error)], ...nothingHappened }
  }
}

const never = () => {}
const nothingHappened = {
  keys: 0,
  crashes: 0,
  guides: 0,
  events: 0,
  unknown: 0,
  erased: 0,
  parked: 0,
  ledger: '',
}

class Run {
  readonly #world: World
  readonly #violations: string[] = []
  readonly #broken = Promise.withResolvers<void>()
  readonly #states = new Map<string, Shipment>()
  readonly #rows: MemoryVaultRows
  readonly #truth: CourierTruth
  readonly #outside: Outside
  readonly #operations: MemoryReadModel
  readonly #answers: Answers = new Map()
  readonly #nodes: ServiceNode[] = []
  readonly #stopLoops = new AbortController()
  #weather: Weather
  #keys = newMasterKeys()
  #crashes = 0
  #started = 0
  #settledTo = ''
  #isOpen = true

  constructor(world: World, mutant: Mutant | null, isTogether: boolean) {
    const pick = <T>(choices: readonly T[]) =>
      choices[Math.floor(world.chance() * choices.length)] as T
    this.#world = world
    this.#weather = { crash: pick(crashes), pause: pick(pauses), storeFault: pick(storeFaults) }
    const quota = world.happens(0.3) ? Math.ceil(world.between(1, 4)) : null
    const violate = (what: string) => this.#violate(what)
    const rows = memoryVaultRows(() => quota)
    this.#rows = observedRows(rows, { states: this.#states, violate })
    const models = projections.map((projection) => new MemoryReadModel(projection))
    const model = models.find(
      ({ projection }) => projection === shipmentProjection,
    ) as MemoryReadModel
    const accounts = memoryAccounts()
    this.#truth = courierTruth(world, {
      takes: accounts.takes,
      keepsNotAfter: mutant !== 'ignores_not_after',
      onCall: ({ clientReference, notAfter }) => {
        const isErased = this.#states.get(clientReference)?.erasedAt != null
        if (isErased && Date.now() <= notAfter.at.getTime())
          violate('an erased person is sent to the courier again')
      },
      onGuide: (guide, notAfter) => {
        const others = this.#truth.of(guide.reference).filter(({ isTwin }) => !isTwin)
        if (others.length > 1) violate(`a second guide for ${guide.reference}`)
        if (Date.now() > notAfter.at.getTime()) violate('a guide was made after not_after')
      },
    })
    this.#operations = model
    const events = memoryEventStore(pollMs)
    this.#outside = {
      world,
      models,
      accounts,
      mutant,
      rows: this.#rows,
      isTogether,
      outbox: new ToldOnce(),
      erasures: memoryErasures(),
      store: observedStore(isTogether ? besideTogether(events, this.#rows) : events, {
        states: this.#states,
        truth: this.#truth,
        violate,
      }),
      claims: memoryClaims(() =>
        [...model.reconcileAt].map(([shipmentId, at]) => ({
          shipmentId,
          dueAt: Date.parse(at),
          clockOffsetMs: mutant === 'early_absence' ? earlyMs : 0,
        })),
      ),
      courierFrom: (process) => this.#truth.from(process),
      keys: () => this.#keys,
      correctQuota: () => this.#correctQuota(),
    }
  }

  /** The first violation ends the run, because anything that follows from it is meaningless. */
  async play(seed: number): Promise<Played> {
    const broken = this.#broken.promise.then(() => nothingHappened)
    const played = await Promise.race([this.#play(), broken])
    return { ...played, seed, violations: [...new Set(this.#violations)] }
  }

  async #play(): Promise<Omit<Played, 'seed' | 'violations'>> {
    const world = this.#world
    const processes = Math.ceil(world.between(0, 3))
    for (let count = 0; count < processes; count++) this.#start()
    const rotation = world.happens(0.3) ? this.#rotate() : Promise.resolve()
    if (world.happens(0.2)) void moveClock(world)
    void lookAfter(world, this.#outside.accounts, this.#stopLoops.signal)
    const counter = {
      nodes: () => this.#nodes.filter(({ process }) => !process.isDead),
      known: () => [...this.#states.keys()],
      answers: this.#answers,
      violate: (what: string) => this.#violate(what),
    }
    const orders = shops(world, counter)
    const erased = eraseSome(world, counter)
    await Promise.all([...orders.map((order) => order()), rotation, erased])
    await this.#end().catch((error: unknown) =>
      this.#violate(`it cannot continue: ${String(error)}`),
    )
    const { guides } = this.#truth
    const attempts = [...this.#states.values()].flatMap(({ attempts }) => attempts)
    return {
      keys: orders.length,
      crashes: this.#crashes,
      guides: guides.length,
      events: [...this.#states.values()].reduce((sum, { version }) => sum + version, 0),
      ledger: await this.#digest(),
      erased: [...this.#states.values()].filter(({ erasedAt }) => erasedAt !== null).length,
      parked: this.#outside.accounts.parked(),
      unknown: attempts.filter(({ unknownAt }) => unknownAt !== null).length,
    }
  }

  async #digest(): Promise<string> {
    const { events } = await this.#outside.store.readAll(null, { limit: 10_000 })
    return createHash('sha256').update(JSON.stringify(events)).digest('hex')
  }

  async #end(): Promise<void> {
    await this.#calmDown()
    const dropped = evidenceIn({ truth: this.#truth, states: this.#states })
    for (const each of dropped) this.#violate(each)
    const last = new VirtualProcess('the last', this.#world, () => calm, never)
    const node = serviceNode(this.#outside, last)
    const isAtRest = await comeToRest(this.#outside, node, this.#states)
    if (!isAtRest) this.#violate('due work never ends')
    const found = await atRest({
      states: this.#states,
      truth: this.#truth,
      rows: this.#rows,
      answers: this.#answers,
      outside: this.#outside,
      keys: this.#keys,
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

  /**
   * Rotates the master key: every process restarts with both keys, then the rows are rewrapped one
   * by one.
   */
  async #rotate(): Promise<void> {
    const world = this.#world
    await world.sleep(world.between(500, 20_000))
    const { current } = newMasterKeys()
    this.#keys = { current, previous: [this.#keys.current] }
    for (const { process } of this.#nodes) process.crash()
    await rewrapAll(world, this.#rows, this.#keys)
  }

  #correctQuota(): void {
    const settlements = this.#operations
      .rows<{ position: string; is_counted: boolean }>('settlements')
      .filter(({ position }) => position > this.#settledTo)
      .sort((a, b) => (a.position < b.position ? -1 : 1))
    for (const { shipment_id: id, version, is_counted: isHeld, position } of settlements) {
      this.#rows.settle(id, version, isHeld)
      this.#settledTo = position
    }
  }

  /** From here on nothing fails: work in progress ends, and received answers are recorded. */
  async #calmDown(): Promise<void> {
    this.#weather = calm
    this.#truth.calm()
    this.#outside.accounts.activate()
    this.#isOpen = false
    this.#stopLoops.abort()
    await this.#world.sleep(calmAfterMs)
    const running = this.#nodes.filter(({ process }) => !process.isDead)
    await Promise.all(running.map(({ deps }) => deps.inFlightCalls.idle()))
    for (const { process } of running) process.end()
    await this.#world.sleep(1_000)
    this.#world.dropTimers()
  }
}
