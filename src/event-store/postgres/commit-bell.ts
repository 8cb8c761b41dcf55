import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import {
  answered,
  backoffMs,
  type ConnectionTimes,
  clientConfig,
  errorName,
  letGo,
  openClient,
  type StoreLog,
} from '../connection.ts'
import { Wake } from '../wake.ts'

const channel = 'ledger_committed'
/**
 * NOTIFY takes a lock of the whole cluster while it commits, so it is issued outside the append's
 * transaction, and at most once in this time however many batches were committed.
 */
const notifyEveryMs = 100
/** A session that only listens asks now and then whether the server is still there. */
const pingEveryMs = 30_000
/** Readers poll anyway, so there is no hurry to come back. */
const reconnectFirstMs = 100
const reconnectMaxMs = 5000

/**
 * Rings `heard` when another process on this database has committed events, or may have without being
 * heard, and tells the others when this one has. Only a hint: while it is out of order, readers see
 * events a poll later.
 */
export class CommitBell {
  readonly #url: string
  readonly #times: ConnectionTimes
  readonly #heard: Pick<Wake, 'ring'>
  readonly #log: StoreLog | undefined
  /** Rung for the loop below: something is to be told, or the session is lost. */
  readonly #attention = new Wake()
  readonly #stop = new AbortController()
  #running: Promise<void> | null = null
  #untold = false
  #isListening = false

  constructor(
    url: string,
    times: ConnectionTimes,
    heard: Pick<Wake, 'ring'>,
    log: StoreLog | undefined,
  ) {
    this.#url = url
    this.#times = times
    this.#heard = heard
    this.#log = log
  }

  /** Whether others would be heard, as far as is known here. */
  get isListening(): boolean {
    return this.#isListening
  }

  /** Begins to listen; it costs a connection, so a process that only reads once does without. */
  listen(): void {
    if (!this.#stop.signal.aborted) this.#running ??= this.#run()
  }

  /** This process has committed events. */
  tell(): void {
    this.#untold = true
    this.listen()
    this.#attention.ring()
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    let failures = 0
    while (!this.#stop.signal.aborted) {
      try {
        await this.#session(() => {
          failures = 0
        })
      } catch (error) {
        failures += 1
        // Only the first of a row: an outage is one line, not one a try.
        if (failures === 1) {
          this.#log?.warn({ code: errorName(error) }, 'wake-ups between processes are interrupted')
        }
        await pause(backoffMs(failures, reconnectFirstMs, reconnectMaxMs), this.#stop.signal)
      }
    }
  }

  async #session(onReady: () => void): Promise<void> {
    let lost = false
    const config = clientConfig(this.#url, 'wake-ups', this.#times, {
      // Nothing is stored by it, so its commit need not wait for the disk.
      synchronous_commit: 'off',
    })
    const client = await openClient(config, () => {
      lost = true
      this.#attention.ring()
    })
    try {
      client.on('notification', (message) => {
        if (message.processId !== (client as { processID?: number }).processID) this.#heard.ring()
      })
      await this.#ask(client, `LISTEN ${channel}`)
      onReady()
      this.#isListening = true
      // What was told while nobody listened here.
      this.#heard.ring()
      while (!this.#stop.signal.aborted) {
        const seen = this.#attention.count
        if (lost) throw new Error('the session was lost')
        if (this.#untold) {
          // Before it is told: what is committed meanwhile must be told again.
          this.#untold = false
          await this.#ask(client, `NOTIFY ${channel}`)
          await pause(notifyEveryMs, this.#stop.signal)
          continue
        }
        await this.#attention.wait(seen, pingEveryMs, this.#stop.signal)
        if (this.#attention.count === seen && !this.#stop.signal.aborted) {
          await this.#ask(client, 'SELECT')
        }
      }
      // The last word of a process that ends, as a command does right after its append.
      if (this.#untold) await this.#ask(client, `NOTIFY ${channel}`).catch(() => undefined)
    } catch (error) {
      this.#untold = true
      throw error
    } finally {
      if (this.#isListening) {
        this.#isListening = false
        // Who waits for it polls from now on.
        this.#heard.ring()
      }
      await letGo(client)
    }
  }

  async #ask(client: pg.Client, text: string): Promise<void> {
    await answered(client.query(text), this.#times.silentMs)
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
}
