import pg from 'pg'
import { LeanClient } from '../lean-client.ts'
import { applySettings, type SessionSettings } from './session-settings.ts'

export type SessionConfig = pg.ClientConfig & {
  /** Settings in addition to the required ones, or instead of them. */
  readonly settings?: SessionSettings
}

/** A role's `statement_timeout` of milliseconds cancels a statement only on a busy server. */
const triesMax = 10
const statementCancelled = '57014'

/** A client whose session has the service's settings once it is connected. */
export class SessionClient extends LeanClient {
  readonly #settings: SessionSettings
  readonly #timeoutMs: number

  constructor({ settings = {}, ...config }: SessionConfig = {}) {
    super(config)
    this.#settings = settings
    this.#timeoutMs = config.connectionTimeoutMillis ?? 0
  }

  override connect(callback?: unknown): never {
    const connected = this.#connect()
    if (typeof callback !== 'function') return connected as never
    connected.then(
      () => callback(null, this),
      (error) => callback(error),
    )
    return undefined as never
  }

  async #connect(): Promise<this> {
    // The caller adds its error listener only once it is connected. A server can end a session in the
    // same packet that begins it, so listen from the start, and keep listening if connecting fails.
    const ignored = () => undefined
    this.on('error', ignored)
    await super.connect()
    try {
      await this.#apply()
    } catch (error) {
      // If the server is silent, this destroys the socket.
      super.end().catch(ignored)
      throw error
    }
    this.off('error', ignored)
    return this
  }

  async #apply(): Promise<void> {
    const statement = { ...applySettings(this.#settings), query_timeout: this.#timeoutMs }
    await untilNotCancelled(() => this.query(statement))
  }
}

/** For statements that a role's `statement_timeout` may cancel, before it is replaced. */
export async function untilNotCancelled<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      const isCancelled = error instanceof pg.DatabaseError && error.code === statementCancelled
      if (!isCancelled || tries >= triesMax) throw error
    }
  }
}
