import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { yieldToEventLoop } from '../couriers/slices.ts'
import type { ProblemOptions } from '../error-kinds.ts'
import { Problem, type Reason } from '../errors.ts'
import { FairSemaphore } from '../fair-semaphore.ts'
import type { Bodies, SheetEnd, SheetLine, SheetRequest } from './read-sheet.ts'

export type ToRead = {
  readonly number: number
  readonly request: SheetRequest
  readonly bytes: Uint8Array
}
export type FromThread = { readonly number: number } & (
  | {
      /** A few lines as JSON. They are parsed one part at a time. */
      readonly lines: Uint8Array
    }
  | { readonly end: SheetEnd }
  | { readonly refused: { readonly reason: Reason; readonly options: ProblemOptions } }
  | { readonly failed: string }
)

/** Files that wait to be read, in turns of organizations. Large bodies are bounded before. */
const limits = {
  atOnceMax: 1,
  ofOrganizationMax: 1,
  waitingMax: 256,
  ofOrganizationWaitingMax: 64,
  waitMs: 20_000,
} as const
/** The ugliest file takes some seconds. If it takes longer, the machine is overloaded. */
const readMs = 30_000
const retryAfterSeconds = 5
/** How long the thread stays alive without work. Starting it takes longer than reading a file. */
const idleMs = 60_000
/** Several times what the largest file needs. */
const memoryMaxMib = 512

/** The lines of a file, in the parts in which they are parsed. */
export type SheetContent<Body> = {
  readonly end: SheetEnd
  /** Yields to other work between two parts. Can be iterated again. */
  parts(): AsyncGenerator<readonly SheetLine<Body>[]>
}

type Reading = {
  readonly parts: Uint8Array[]
  readonly done: (end: SheetEnd) => void
  readonly failed: (error: Error) => void
}

/**
 * Reads sheets in a separate thread, one at a time and organizations in turn, so that neither their
 * parsing nor its garbage blocks other requests. The thread starts with the first sheet, ends after a
 * minute without one, and does not keep the process alive.
 */
export class SheetThread {
  readonly #semaphore = new FairSemaphore(limits, busy)
  #thread: Worker | null = null
  #idle: NodeJS.Timeout | null = null
  #numbers = 0
  #reading: (Reading & { readonly number: number }) | null = null

  /** Throws the Problem of a file that cannot be read, or `overloaded`. */
  async read<Kind extends keyof Bodies>(
    organizationId: string,
    body: Buffer,
    request: SheetRequest<Kind>,
  ): Promise<SheetContent<Bodies[Kind]>> {
    return await this.#semaphore.run(organizationId, async () => {
      const parts: Uint8Array[] = []
      const bytes = await copyOf(body)
      const end = await this.#readIn(this.#started(), parts, bytes, request)
      return { end, parts: () => parsed(parts) }
    })
  }

  async close(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle)
    await this.#thread?.terminate()
  }

  async #readIn(
    thread: Worker,
    parts: Uint8Array[],
    bytes: Uint8Array<ArrayBuffer>,
    request: SheetRequest,
  ): Promise<SheetEnd> {
    const number = ++this.#numbers
    const { promise, resolve, reject } = Promise.withResolvers<SheetEnd>()
    this.#reading = { number, parts, done: resolve, failed: reject }
    const timer = setTimeout(() => this.#fail(thread, busy()), readMs)
    thread.postMessage({ number, request, bytes } satisfies ToRead, [bytes.buffer])
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#reading = null
      this.#rest()
    }
  }

  #started(): Worker {
    if (this.#idle !== null) clearTimeout(this.#idle)
    if (this.#thread !== null) return this.#thread
    const thread = new Worker(join(import.meta.dirname, 'sheet-thread-main.ts'), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMaxMib },
    })
    thread.unref()
    thread.on('message', (message: FromThread) => this.#take(message))
    thread.on('error', (cause) => {
      this.#fail(thread, new Error('The thread that reads sheets failed.', { cause }))
    })
    thread.on('exit', () => this.#fail(thread, new Error('The thread that reads sheets ended.')))
    this.#thread = thread
    return thread
  }

  #take(message: FromThread): void {
    const reading = this.#reading
    if (reading?.number !== message.number) return
    if ('lines' in message) reading.parts.push(message.lines)
    else if ('end' in message) reading.done(message.end)
    else if ('failed' in message) reading.failed(new Error(message.failed))
    else reading.failed(new Problem(message.refused.reason, message.refused.options))
  }

  /** The next sheet starts another thread. */
  #fail(thread: Worker, error: Error): void {
    if (this.#thread !== thread) return
    this.#thread = null
    this.#reading?.failed(error)
    void thread.terminate()
  }

  #rest(): void {
    this.#idle = setTimeout(() => {
      const thread = this.#thread
      this.#thread = null
      void thread?.terminate()
    }, idleMs)
    this.#idle.unref()
  }
}

/** Copied in one go: less than a millisecond. */
const copiedAtOnceBytes = 512 * 1024

/** A copy that can be moved to the thread: the body may be one of several in its memory. */
async function copyOf(body: Buffer): Promise<Uint8Array<ArrayBuffer>> {
  const copy = Buffer.allocUnsafeSlow(body.length)
  for (let at = 0; at < body.length; at += copiedAtOnceBytes) {
    if (at > 0) await yieldToEventLoop()
    body.copy(copy, at, at, at + copiedAtOnceBytes)
  }
  return copy
}

async function* parsed<Body>(
  parts: readonly Uint8Array[],
): AsyncGenerator<readonly SheetLine<Body>[]> {
  for (const [index, part] of parts.entries()) {
    if (index > 0) await yieldToEventLoop()
    yield JSON.parse(Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString())
  }
}

function busy(): Problem {
  return new Problem('overloaded', { detail: 'Other files are being read.', retryAfterSeconds })
}
