import { Problem } from '../../errors.ts'
import { Turns } from '../../turns.ts'
import type { PaperAsk } from './paper-messages.ts'
import { PaperProcess, type Printed } from './paper-process.ts'

const printQueueLimits = {
  /** Requests that are printed at once: each can take a hundred megabytes. */
  atOnceMax: 1,
  ofOrganizationMax: 1,
  /** Requests that wait for their turn. */
  waitingMax: 8,
  ofOrganizationWaitingMax: 3,
  /** Longer than a turn. With the time to print, less than the 50 s after which our clients give up. */
  waitMs: 25_000,
  /** Two hundred labels take about a second. More means that the machine is overloaded. */
  printMs: 20_000,
  /** One label takes some milliseconds. After this it is taken for one that never ends. */
  labelMs: 10_000,
  /** Until a refused request is worth repeating. */
  retryAfterSeconds: 5,
  /** Several times what the largest file of labels takes. */
  memoryMaxMib: 512,
} as const
type Limits = Readonly<Record<keyof typeof printQueueLimits, number>>

export type AskPrinter = (ask: PaperAsk) => Promise<Printed>

/**
 * Prints papers in a process of their own, one at a time, organizations in turn. A few requests wait;
 * others are refused as `overloaded`. So is one that takes too long: the process is ended, and the next
 * turn starts another.
 */
export class PrintQueue {
  readonly #limits: Limits
  readonly #process: PaperProcess
  readonly #turns: Turns
  #turnCount = 0

  /** Tests pass other limits, to reach them quickly. */
  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...printQueueLimits, ...limits }
    this.#process = new PaperProcess(this.#limits.memoryMaxMib)
    this.#turns = new Turns(this.#limits, () =>
      this.#overloaded('Other papers are being printed. Ask again in a moment.'),
    )
  }

  /**
   * Runs `work` in its turn. `ask` fails once the turn is over, and throws PaperProcessEnded for a
   * question with which the process hung or ended.
   */
  async run<T>(organizationId: string, work: (ask: AskPrinter) => Promise<T>): Promise<T> {
    return await this.#turns.run(organizationId, () => this.#inTime(work))
  }

  close(): void {
    this.#process.close()
  }

  async #inTime<T>(work: (ask: AskPrinter) => Promise<T>): Promise<T> {
    const turn = ++this.#turnCount
    const { labelMs, printMs } = this.#limits
    let isOver = false
    let label: Promise<unknown> = Promise.resolve()
    const late = Promise.withResolvers<never>()
    const end = () => {
      if (isOver) return
      const error = this.#overloaded('The papers could not be printed in time.')
      this.#process.end(error)
      late.reject(error)
    }
    // A label keeps its own time: it must be known whether it hangs, or it would be tried again.
    const timer = setTimeout(() => void label.then(end, end), printMs)
    const ask: AskPrinter = async (question) => {
      if (isOver) throw new Error('The turn to print is over.')
      const isLabel = question.do === 'add_label'
      const answer = this.#process.ask({ turn, ask: question }, isLabel ? labelMs : printMs)
      if (isLabel) label = answer
      return await answer
    }
    try {
      return await Promise.race([work(ask), late.promise])
    } finally {
      isOver = true
      clearTimeout(timer)
    }
  }

  #overloaded(detail: string): Problem {
    const { retryAfterSeconds } = this.#limits
    return new Problem('overloaded', { detail, retryAfterSeconds })
  }
}
