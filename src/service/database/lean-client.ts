import pg from 'pg'

type Answered = (error: Error | null, result?: unknown) => void
type Timed = { readonly query_timeout?: number }

const whileConnecting = new WeakSet<object>()

/** Whether the error comes from a session that never began, so no statement was sent. */
export function cameWhileConnecting(error: object): boolean {
  return whileConnecting.has(error)
}

/**
 * A client that avoids a memory leak of pg. When pg's `query` returns a promise or has a
 * `query_timeout`, the values and the result of each query stay in memory until the next full garbage
 * collection. So this client always passes a callback and times queries itself. A query that is not
 * answered in time fails, and the pool closes its client.
 */
export class LeanClient extends pg.Client {
  readonly #timeoutMs: number

  constructor(config: pg.ClientConfig = {}) {
    const { query_timeout: timeoutMs = 0, ...rest } = config
    super(rest)
    this.#timeoutMs = Number(timeoutMs)
  }

  override connect(...[callback]: unknown[]): never {
    const connecting = super.connect().catch((error: Error) => {
      whileConnecting.add(error)
      throw error
    })
    if (typeof callback !== 'function') return connecting as never
    return void connecting.then(
      () => callback(null, this),
      (error) => callback(error),
    ) as never
  }

  override query(...given: unknown[]): never {
    const [asked] = given
    const isOwn = typeof asked === 'object' && asked !== null && 'submit' in asked
    if (isOwn) return Reflect.apply(super.query, this, given) as never
    const last = given.at(-1)
    if (typeof last === 'function') return this.#ask(given.slice(0, -1), last as Answered)
    return new Promise((resolve, reject) => {
      this.#ask(given, (error, result) => (error ? reject(error) : resolve(result)))
    }) as never
  }

  #ask([query, ...values]: readonly unknown[], callback: Answered): never {
    const { query_timeout: timeoutMs = this.#timeoutMs, ...untimed } =
      typeof query === 'object' ? (query as Timed) : {}
    const asked = typeof query === 'object' ? untimed : query
    const answer = timeoutMs > 0 ? answeredWithin(timeoutMs, callback) : callback
    return Reflect.apply(super.query, this, [asked, ...values, answer]) as never
  }
}

function answeredWithin(timeoutMs: number, callback: Answered): Answered {
  let isAnswered = false
  const answer: Answered = (error, result) => {
    if (isAnswered) return
    isAnswered = true
    clearTimeout(timer)
    callback(error, result)
  }
  const timer = setTimeout(() => answer(new Error('Query read timeout')), timeoutMs)
  return answer
}
