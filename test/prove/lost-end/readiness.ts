import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../support/eventually.ts'

const askEveryMs = 100
const askMs = 3_000
const damagedCode = 'ledger_damaged'

type State = 'ready' | 'damaged' | 'other' | 'away'
type Change = { readonly at: number; readonly state: State; readonly body: string }

/** The readiness that each process reports, over time. */
export class Readiness {
  readonly #urls: readonly string[]
  readonly #changes = new Map<string, Change[]>()
  #isOver = false
  readonly #watching: Promise<unknown>

  constructor(urls: readonly string[]) {
    this.#urls = urls
    for (const url of urls) this.#changes.set(url, [])
    this.#watching = Promise.all(urls.map((url) => this.#watch(url)))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#watching
  }

  /** When every process had reported the damage after this time; null if not yet. */
  noticedAt(since: number): number | null {
    const times = this.#urls.map((url) => this.#firstAt(url, 'damaged', since))
    return times.includes(null) ? null : Math.max(...(times as number[]))
  }

  /** When the first process reported it. */
  firstNoticedAt(since: number): number | null {
    const times = this.#urls.flatMap((url) => this.#firstAt(url, 'damaged', since) ?? [])
    return times.length === 0 ? null : Math.min(...times)
  }

  /** Since when every process has been ready without interruption; null if not. */
  readySince(): number | null {
    const last = this.#urls.map((url) => this.#changes.get(url)?.at(-1))
    if (last.some((change) => change?.state !== 'ready')) return null
    return Math.max(...last.map((change) => change?.at ?? 0))
  }

  async untilReady(withinMs: number): Promise<number | null> {
    return await eventually(
      () => this.readySince(),
      (at) => at !== null,
      withinMs,
    ).catch(() => null)
  }

  async untilNoticed(since: number, withinMs: number): Promise<number | null> {
    return await eventually(
      () => this.noticedAt(since),
      (at) => at !== null,
      withinMs,
    ).catch(() => null)
  }

  /** Each change of the processes' reports, for people. */
  told(since: number): string {
    return this.#urls
      .map((url, index) => {
        const changes = (this.#changes.get(url) ?? []).filter(({ at }) => at >= since)
        return `${index + 1}: ${changes.map(({ at, state }) => `${state} after ${((at - since) / 1_000).toFixed(1)} s`).join(', ') || 'no change'}`
      })
      .join('; ')
  }

  /** Reports other than damage within a period. */
  wasElse(from: number, to: number): readonly string[] {
    return this.#urls.flatMap((url) =>
      (this.#changes.get(url) ?? [])
        .filter(({ at, state }) => at > from && at < to && state !== 'damaged' && state !== 'away')
        .map(({ at, state }) => `${state} ${Math.round(at - from)} ms later`),
    )
  }

  #firstAt(url: string, state: State, since: number): number | null {
    const changes = this.#changes.get(url) ?? []
    if (changes.findLast(({ at }) => at < since)?.state === state) return since
    return changes.find((change) => change.at >= since && change.state === state)?.at ?? null
  }

  async #watch(url: string): Promise<void> {
    while (!this.#isOver) {
      const { state, body } = await readinessAt(url)
      const changes = this.#changes.get(url)
      if (changes?.at(-1)?.state !== state) changes?.push({ at: performance.now(), state, body })
      await delay(askEveryMs)
    }
  }
}

export async function readinessAt(
  url: string,
): Promise<{ readonly state: State; readonly body: string }> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(askMs) })
    const body = await answer.text()
    if (answer.status === 200) return { state: 'ready', body }
    return { state: body.includes(damagedCode) ? 'damaged' : 'other', body }
  } catch {
    return { state: 'away', body: '' }
  }
}
