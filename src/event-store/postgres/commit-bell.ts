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
 * NOTIFY takes a cluster-wide lock while it commits, so it is issued outside the append's
 * transaction, and at most once in this time however many batches were committed.
 */
const notifyEveryMs = 100
/** A session that only listens checks now and then whether the server is still there. */
const pingEveryMs = 30_000
/** Readers poll anyway, so reconnecting is not urgent. */
const reconnectFirstMs = 100
const reconnectMaxMs = 5000

/**
 * Rings `heard` when another process on this database has committed events, or may have done so
 * unheard, and notifies the others when this process has. Only a hint: while it is interrupted,
 * readers see events one poll later.
 */
export class CommitBell {
  readonly #url: string
  readonly #times: ConnectionTimes
  readonly #heard: Pick<Wake, 'ring'>
  readonly #log: StoreLog | undefined
  /** Wakes the loop below: there is something to announce, or the session is lost. */
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

  /** Whether commits of other processes would be heard, as far as this process knows. */
  get isListening(): boolean {
    return this.#isListening
  }

  /**
   * Begins to listen. It costs a connection, so a process that reads only once does not call it.
   */
  listen(): void {
    if (!this.#stop.signal.aborted) this.#running ??= this.#run()
  }

  /** Call it when this process has committed events. */
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
        // Only the first of a series: an outage is one log line, not one per try.
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
      // It stores nothing, so its commit need not wait for the disk.
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
      // Covers notifications sent while this process was not listening.
      this.#heard.ring()
      while (!this.#stop.signal.aborted) {
        const seen = this.#attention.count
        if (lost) throw new Error('the session was lost')
        if (this.#untold) {
          // Before the notification: events committed meanwhile must be announced again.
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
      // The last notification of a process that ends, like a command right after its append.
      if (this.#untold) await this.#ask(client, `NOTIFY ${channel}`).catch(() => undefined)
    } catch (error) {
      this.#untold = true
      throw error
    } finally {
      if (this.#isListening) {
        this.#isListening = false
        // Readers waiting for it poll from now on.
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
