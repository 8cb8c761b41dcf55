import type pg from 'pg'
import { pause } from '../../pause.ts'
import { Signal } from '../../queue/signal.ts'
import {
  answeredWithin,
  backoffMs,
  type ConnectionTimes,
  clientConfig,
  endSession,
  errorName,
  openClient,
  type StoreLog,
} from '../connection.ts'

const channel = 'ledger_committed'
/**
 * NOTIFY takes a cluster-wide lock while it commits, so it is issued outside the append's transaction,
 * and at most once per interval for any number of batches.
 */
const notifyEveryMs = 100
/** How often a session that only listens checks whether the server is still there. */
const pingEveryMs = 30_000
/** Readers poll anyway, so reconnecting is not urgent. */
const reconnectFirstMs = 100
const reconnectMaxMs = 5000

/**
 * Calls `onOthersCommitted` when another process on this database has committed events, or may have done
 * so unnoticed, and notifies the other processes when this one has. Only a hint: while it is
 * interrupted, readers see events one poll later.
 */
export class CommitNotifier {
  readonly #url: string
  readonly #times: ConnectionTimes
  readonly #onOthersCommitted: () => void
  readonly #log: StoreLog | undefined
  /** Wakes the loop below when there is something to announce or the session is lost. */
  readonly #changed = new Signal()
  readonly #stop = new AbortController()
  #running: Promise<void> | null = null
  #isUnannounced = false
  #isListening = false

  constructor(
    url: string,
    times: ConnectionTimes,
    onOthersCommitted: () => void,
    log: StoreLog | undefined,
  ) {
    this.#url = url
    this.#times = times
    this.#onOthersCommitted = onOthersCommitted
    this.#log = log
  }

  /** Whether this process would notice commits of other processes, as far as it knows. */
  get isListening(): boolean {
    return this.#isListening
  }

  /**
   * Starts to listen. It costs a connection, so a process that reads only once does not call it.
   */
  listen(): void {
    if (!this.#stop.signal.aborted) this.#running ??= this.#run()
  }

  /** Call it when this process has committed events. */
  announce(): void {
    this.#isUnannounced = true
    this.listen()
    this.#changed.notify()
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
        // Only the first of a series, so that an outage is one log line and not one per try.
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
      // The session stores nothing, so its commits need not wait for the disk.
      synchronous_commit: 'off',
    })
    const client = await openClient(config, () => {
      lost = true
      this.#changed.notify()
    })
    try {
      client.on('notification', (message) => {
        if (message.processId !== (client as { processID?: number }).processID)
          this.#onOthersCommitted()
      })
      await this.#query(client, `LISTEN ${channel}`)
      onReady()
      this.#isListening = true
      // Covers notifications sent while this process was not listening.
      this.#onOthersCommitted()
      while (!this.#stop.signal.aborted) {
        const seen = this.#changed.count
        if (lost) throw new Error('the session was lost')
        if (this.#isUnannounced) {
          // Set before the notification, so that events committed meanwhile are announced again.
          this.#isUnannounced = false
          await this.#query(client, `NOTIFY ${channel}`)
          await pause(notifyEveryMs, this.#stop.signal)
          continue
        }
        await this.#changed.wait(seen, pingEveryMs, this.#stop.signal)
        if (this.#changed.count === seen && !this.#stop.signal.aborted) {
          await this.#query(client, 'SELECT')
        }
      }
      // The last notification of a process that exits, such as a command right after its append.
      if (this.#isUnannounced) await this.#query(client, `NOTIFY ${channel}`).catch(() => undefined)
    } catch (error) {
      this.#isUnannounced = true
      throw error
    } finally {
      if (this.#isListening) {
        this.#isListening = false
        // Readers waiting for it poll from now on.
        this.#onOthersCommitted()
      }
      await endSession(client)
    }
  }

  async #query(client: pg.Client, text: string): Promise<void> {
    await answeredWithin(client.query(text), this.#times.silentMs)
  }
}
