import { Problem } from '../../errors.ts'
import type { PaperAsk } from './paper-messages.ts'
import { PaperProcess, type Printed } from './paper-process.ts'

const printQueueLimits = {
  /** Requests that wait for their turn. Each waits for a second or so for each one before it. */
  waitingMax: 8,
  /** Requests of one organization, waiting or printing, so that it cannot keep all others out. */
  ofOrganizationMax: 4,
  /** With the time to print, less than the 50 s after which our clients give up. */
  waitMs: 15_000,
  /** Two hundred labels take about a second. More means that the machine is overloaded. */
  printMs: 30_000,
  /** Until a refused request is worth repeating. */
  retryAfterSeconds: 5,
  /** Several times what the largest file of labels takes. */
  memoryMaxMib: 512,
} as const
type Limits = Readonly<Record<keyof typeof printQueueLimits, number>>

export type AskPrinter = (ask: PaperAsk) => Promise<Printed>

type Waiting = { readonly go: () => void; readonly reject: (error: Error) => void }

/**
 * Prints papers in a process of their own, one at a time: each can take a hundred megabytes. A few
 * requests wait for their turn, in order; others are refused as `overloaded`. So is one that takes too
 * long: the process is ended, and the next turn starts another.
 */
export class PrintQueue {
  readonly #limits: Limits
  readonly #process: PaperProcess
  readonly #waiting: Waiting[] = []
  /** Requests of each organization, waiting or printing. */
  readonly #ofOrganization = new Map<string, number>()
  #isPrinting = false
  #turns = 0

  /** Tests pass other limits, to reach them quickly. */
  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...printQueueLimits, ...limits }
    this.#process = new PaperProcess(this.#limits.memoryMaxMib)
  }

  /** Runs `work` in its turn. `ask` fails once the turn is over. */
  async run<T>(organizationId: string, work: (ask: AskPrinter) => Promise<T>): Promise<T> {
    const own = this.#ofOrganization.get(organizationId) ?? 0
    const { waitingMax, ofOrganizationMax } = this.#limits
    if (own >= ofOrganizationMax || this.#waiting.length >= waitingMax) throw this.#tooMany()
    this.#ofOrganization.set(organizationId, own + 1)
    try {
      await this.#turnComes()
      try {
        return await this.#inTime(work)
      } finally {
        this.#next()
      }
    } finally {
      this.#leave(organizationId)
    }
  }

  close(): void {
    this.#process.close()
  }

  async #turnComes(): Promise<void> {
    if (!this.#isPrinting) {
      this.#isPrinting = true
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { go: resolve, reject }
    this.#waiting.push(waiting)
    const timer = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      reject(this.#tooMany())
    }, this.#limits.waitMs)
    await promise.finally(() => clearTimeout(timer))
  }

  /** The next one's turn begins at once, so that no other request comes between. */
  #next(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#isPrinting = false
    else next.go()
  }

  async #inTime<T>(work: (ask: AskPrinter) => Promise<T>): Promise<T> {
    const turn = ++this.#turns
    let isOver = false
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      const error = this.#overloaded('The papers could not be printed in time.')
      this.#process.end(error)
      late.reject(error)
    }, this.#limits.printMs)
    const ask: AskPrinter = async (question) => {
      if (isOver) throw new Error('The turn to print is over.')
      return await this.#process.ask({ turn, ask: question })
    }
    try {
      return await Promise.race([work(ask), late.promise])
    } finally {
      isOver = true
      clearTimeout(timer)
    }
  }

  #leave(organizationId: string): void {
    const own = (this.#ofOrganization.get(organizationId) ?? 0) - 1
    if (own > 0) this.#ofOrganization.set(organizationId, own)
    else this.#ofOrganization.delete(organizationId)
  }

  #tooMany(): Problem {
    return this.#overloaded('Other papers are being printed. Ask again in a moment.')
  }

  #overloaded(detail: string): Problem {
    const { retryAfterSeconds } = this.#limits
    return new Problem('overloaded', { detail, retryAfterSeconds })
  }
}
