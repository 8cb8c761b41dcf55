import { Problem } from '../../errors.ts'
import { FairSemaphore } from '../../fair-semaphore.ts'
import type { PrintedMedia, PrintRequest } from './print-messages.ts'
import { type Printed, PrintProcess } from './print-process.ts'

const printQueueLimits = {
  /** Requests printed at once: each can take a hundred megabytes. */
  atOnceMax: 1,
  ofOrganizationMax: 1,
  /** Requests that may wait. */
  waitingMax: 8,
  ofOrganizationWaitingMax: 3,
  /**
   * Longer than printing one file. Together with the printing time, less than the 50 s after which
   * our clients give up.
   */
  waitMs: 25_000,
  /** Two hundred labels take about a second; this long means that the machine is overloaded. */
  printMs: 20_000,
  /** A label, or a page of its image, takes some milliseconds; after this it is treated as hanging. */
  labelMs: 10_000,
  /** When a refused request is worth repeating. */
  retryAfterSeconds: 5,
  /** Several times what the largest file of labels needs. */
  memoryMaxMib: 512,
  /** After so many labels of one job the process gets the lower priority: they must not slow down requests. */
  promptLabels: 20,
  niceness: 10,
} as const
type Limits = Readonly<Record<keyof typeof printQueueLimits, number>>

export type PrintedFile = { readonly bytes: Buffer; readonly media: PrintedMedia }

export type AskPrinter = (ask: PrintRequest) => Promise<Printed>

/**
 * Prints documents in a child process, which bounds their time and memory: one request at a time,
 * organizations in turn. A few requests wait; more are refused as `overloaded`. A request that
 * takes too long is refused too: the process is killed, and the next request starts a new one.
 */
export class PrintQueue {
  readonly #limits: Limits
  readonly #process: PrintProcess
  readonly #semaphore: FairSemaphore
  #jobCount = 0

  /** Tests pass lower limits. */
  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...printQueueLimits, ...limits }
    this.#process = new PrintProcess(this.#limits)
    this.#semaphore = new FairSemaphore(this.#limits, () =>
      this.#overloaded('Other documents are being printed. Try again in a moment.'),
    )
  }

  /**
   * Runs `work` once it gets a slot. `ask` fails once the time is up, and throws PrintProcessEnded
   * for the request at which the process hung or exited.
   */
  async run<T>(organizationId: string, work: (ask: AskPrinter) => Promise<T>): Promise<T> {
    return await this.#semaphore.run(organizationId, () => this.#inTime(work))
  }

  close(): void {
    this.#process.close()
  }

  async #inTime<T>(work: (ask: AskPrinter) => Promise<T>): Promise<T> {
    const job = ++this.#jobCount
    const { labelMs, printMs, promptLabels } = this.#limits
    let isOver = false
    let labelCount = 0
    let label: Promise<unknown> = Promise.resolve()
    const late = Promise.withResolvers<never>()
    const end = () => {
      if (isOver) return
      const error = this.#overloaded('The documents could not be printed in time.')
      this.#process.end(error)
      late.reject(error)
    }
    // A label gets its full time: unless it is known to hang, it would be tried again.
    const timer = setTimeout(() => void label.then(end, end), printMs)
    const ask: AskPrinter = async (question) => {
      if (isOver) throw new Error('The time to print is over.')
      const isLabel = question.do === 'add_label' || question.do === 'draw_page'
      if (question.do === 'add_label' && ++labelCount > promptLabels) this.#process.lower()
      const answer = this.#process.ask({ job, request: question }, isLabel ? labelMs : printMs)
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

/** The file that this request completes. Throws Problem: `papers_too_large`. */
export async function printedFile(ask: AskPrinter, request: PrintRequest): Promise<PrintedFile> {
  const { answer, file } = await ask(request)
  if (answer.kind === 'too_large') throw new Problem('papers_too_large')
  if (answer.kind !== 'printed') throw new Error(`bug: a file was answered with ${answer.kind}`)
  return { bytes: file, media: answer.media }
}
