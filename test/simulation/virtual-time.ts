import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { performance } from 'node:perf_hooks'
import timersPromises from 'node:timers/promises'
import { random } from '../support/random.ts'

/** The world of one run: its clock, randomness and timers. */
export type World = {
  /** From 0 to 1. */
  readonly chance: () => number
  /** True with this probability. */
  readonly happens: (probability: number) => boolean
  /** Uniformly distributed between the two. */
  readonly between: (least: number, most: number) => number
  readonly sleep: (ms: number) => Promise<void>
  /** Milliseconds since the run began, independent of the wall clock. */
  readonly elapsed: () => number
  /** Sets the wall clock forward or back during the run. */
  readonly setClock: (byMs: number) => void
  /** Drops all waiting timers. */
  readonly dropTimers: () => void
}

/** The time at which every run begins. */
const began = Date.UTC(2026, 2, 1, 12)
/** The most timers that may fire: a hundred times the usual number means an endless loop. */
const firingsMax = 100_000

type Timer = {
  at: number
  readonly order: number
  readonly everyMs: number | null
  fire: () => void
}

const real = {
  setImmediate: globalThis.setImmediate,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  Date: globalThis.Date,
  now: performance.now,
  delay: timersPromises.setTimeout,
  random: Math.random,
  randomUUID: crypto.randomUUID,
  randomBytes: crypto.randomBytes,
}

/**
 * Runs code in a world of its own, in which time passes only when nothing else can happen and all
 * randomness comes from the seed: the same seed and the same code are the same run. It replaces the
 * clock, timers and randomness of the whole process, which must do nothing else meanwhile.
 */
export async function inWorld<T>(seed: number, run: (world: World) => Promise<T>): Promise<T> {
  const timers = new Queue()
  const chance = random(seed)
  let elapsed = 0
  let wallOffset = 0
  let orders = 0
  const wall = () => began + wallOffset + Math.floor(elapsed)
  const add = (fire: () => void, ms: number, everyMs: number | null) => {
    const waitMs = Math.max(1, Number.isFinite(ms) ? ms : 1)
    // The order of timers due at the same time is random.
    const order = Math.floor(chance() * 2 ** 20) * 2 ** 20 + orders++
    const timer: Timer = { at: elapsed + waitMs, order, everyMs, fire }
    timers.add(timer)
    return handleOf(timer, timers)
  }
  const setTimer = (fire: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    add(() => fire(...args), ms, null)
  const setRepeating = (fire: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    add(() => fire(...args), ms, Math.max(1, ms))
  const clear = (handle: unknown) => (handle as { close?: () => void } | undefined)?.close?.()
  class VirtualDate extends real.Date {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(wall())
      else super(...(args as [number]))
    }
    static override now() {
      return wall()
    }
  }
  const delay = (ms?: number, value?: unknown, options?: { readonly signal?: AbortSignal }) =>
    new Promise((resolve, reject) => {
      const { signal } = options ?? {}
      const aborted = () => {
        handle.close()
        reject(new DOMException('The operation was aborted', 'AbortError'))
      }
      const handle = setTimer(() => {
        signal?.removeEventListener('abort', aborted)
        resolve(value)
      }, ms)
      if (signal?.aborted === true) aborted()
      else signal?.addEventListener('abort', aborted, { once: true })
    })
  const bytes = (size: number) => Buffer.from(Array.from({ length: size }, () => chance() * 256))
  install({
    setTimeout: setTimer,
    clearTimeout: clear,
    setInterval: setRepeating,
    clearInterval: clear,
    Date: VirtualDate,
    now: () => elapsed,
    delay,
    random: chance,
    randomBytes: bytes,
    randomUUID: () => uuidOf(bytes(16)),
  })
  const world: World = {
    chance,
    happens: (probability) => chance() < probability,
    between: (least, most) => least + chance() * (most - least),
    sleep: async (ms) => void (await delay(ms)),
    elapsed: () => elapsed,
    setClock: (byMs) => {
      wallOffset += byMs
    },
    dropTimers: () => timers.clear(),
  }
  try {
    let ended = false
    const result = run(world).finally(() => {
      ended = true
    })
    result.catch(() => undefined)
    for (let firings = 0; ; firings++) {
      // After everything that can happen without time passing.
      await new Promise<void>((resolve) => real.setImmediate(resolve))
      if (ended) return await result
      const timer = timers.take()
      if (timer === undefined) throw new Error('Deadlock: nothing can happen any more.')
      if (firings > firingsMax) throw new Error('The run does not end.')
      elapsed = Math.max(elapsed, timer.at)
      if (timer.everyMs !== null) {
        timer.at = elapsed + timer.everyMs
        timers.add(timer)
      }
      timer.fire()
    }
  } finally {
    install(real)
  }
}

type Installed = Readonly<Record<Exclude<keyof typeof real, 'setImmediate'>, unknown>>

function install(given: Installed): void {
  Object.assign(globalThis, {
    setTimeout: given.setTimeout,
    clearTimeout: given.clearTimeout,
    setInterval: given.setInterval,
    clearInterval: given.clearInterval,
    Date: given.Date,
  })
  Object.assign(performance, { now: given.now })
  Object.assign(timersPromises, { setTimeout: given.delay })
  Object.assign(Math, { random: given.random })
  Object.assign(crypto, { randomUUID: given.randomUUID, randomBytes: given.randomBytes })
  // Named imports of these modules must see the replacements.
  syncBuiltinESMExports()
}

function uuidOf(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-')
}

function handleOf(timer: Timer, timers: Queue) {
  const handle = {
    close: () => timers.remove(timer),
    unref: () => handle,
    ref: () => handle,
    hasRef: () => true,
    refresh: () => handle,
    [Symbol.toPrimitive]: () => timer.order,
  }
  return handle
}

/** Timers by due time: a binary heap. */
class Queue {
  #heap: Timer[] = []
  readonly #removed = new Set<Timer>()

  add(timer: Timer): void {
    const heap = this.#heap
    heap.push(timer)
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(at, parent)) break
      this.#swap(at, parent)
      at = parent
    }
  }

  remove(timer: Timer): void {
    this.#removed.add(timer)
  }

  clear(): void {
    this.#heap = []
    this.#removed.clear()
  }

  take(): Timer | undefined {
    for (;;) {
      const first = this.#heap[0]
      if (first === undefined) return undefined
      this.#takeFirst()
      if (!this.#removed.delete(first)) return first
    }
  }

  #takeFirst(): void {
    const heap = this.#heap
    const last = heap.pop() as Timer
    if (heap.length === 0) return
    heap[0] = last
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let least = at
      if (left < heap.length && this.#isBefore(left, least)) least = left
      if (right < heap.length && this.#isBefore(right, least)) least = right
      if (least === at) return
      this.#swap(at, least)
      at = least
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a] as Timer, this.#heap[b] as Timer]
    return one.at === other.at ? one.order < other.order : one.at < other.at
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap
    const kept = heap[a] as Timer
    heap[a] = heap[b] as Timer
    heap[b] = kept
  }
}
