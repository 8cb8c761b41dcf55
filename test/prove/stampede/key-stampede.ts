import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import type { ApiClient } from '../../support/api-client.ts'
import type { Fleet } from '../../support/processes.ts'

export type StampedeOptions = {
  readonly keys: number
  /** Concurrent callers of one key, spread over all processes. */
  readonly callers: number
  /** Called after each tenth of the keys. */
  readonly say: (line: string) => void
}

export type StampedeResult = {
  readonly guides: number
  readonly calls: number
  /** The 201 answers that created a shipment, the replayed ones, and the 409 answers in flight. */
  readonly made: number
  readonly replayed: number
  readonly inFlight: number
  /** The 503 answers, after which the caller repeated the request. */
  readonly shed: number
  readonly violations: readonly string[]
}

/** As many concurrent keys as keep two processes busy without a queue of seconds. */
const keysAtOnce = 4
/** A busy machine sheds load for seconds; shedding one caller for minutes is a violation. */
const shedMax = 100
const askAgainMs = 200

/** Repeats a request, as a shop does, while a busy service answers 503. */
export async function askUntilServed<A extends { readonly status: number }>(
  ask: () => Promise<A>,
  onShed: () => void = () => undefined,
): Promise<A> {
  for (let n = 0; ; n++) {
    const answer = await ask()
    if (answer.status !== 503 || n === shedMax) return answer
    onShed()
    await delay(askAgainMs)
  }
}

type CallerAnswer = {
  readonly status: number
  readonly isReplayed: boolean
  readonly guideNumber: unknown
  readonly id: unknown
  readonly reason: unknown
}

/** Creates many keys with many concurrent callers each, and compares the answers with the courier's record. */
export async function keyStampede(
  all: Fleet,
  processes: readonly ApiClient[],
  options: StampedeOptions,
): Promise<StampedeResult> {
  const connections = options.callers * keysAtOnce
  const pools = processes.map(({ url }) => new Pool(url, { connections, pipelining: 1 }))
  const { shopKey } = all.seeded
  const violations: string[] = []
  const sum = { made: 0, replayed: 0, inFlight: 0, shed: 0 }
  const before = { guides: all.record.guideCount(), calls: all.record.callCount('createGuide') }
  const askOnce = async (key: string, caller: number): Promise<CallerAnswer> => {
    const response = await pools[caller % pools.length]?.request({
      path: '/v1/shipments',
      method: 'POST',
      headers: {
        authorization: `Bearer ${shopKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(processes[0]?.bodyOf(key)),
    })
    if (response === undefined) throw new Error('no process')
    const body = JSON.parse(await response.body.text())
    return {
      status: response.statusCode,
      isReplayed: response.headers['idempotent-replayed'] === 'true',
      guideNumber: body.guide_number,
      id: body.id,
      reason: body.reason,
    }
  }
  const ask = (key: string, caller: number): Promise<CallerAnswer> =>
    askUntilServed(
      () => askOnce(key, caller),
      () => {
        sum.shed += 1
      },
    )
  const play = async (key: string) => {
    const answers = await Promise.all(
      Array.from({ length: options.callers }, (_, caller) => ask(key, caller)),
    )
    const created = answers.filter(({ status }) => status === 201)
    const made = created.filter(({ isReplayed }) => !isReplayed)
    const inFlight = answers.filter(({ reason }) => reason === 'idempotency_in_flight')
    sum.made += made.length
    sum.replayed += created.length - made.length
    sum.inFlight += inFlight.length
    const check = (isSo: boolean, what: string) => isSo || violations.push(`${key}: ${what}`)
    check(made.length === 1, `${made.length} answers say that they created it`)
    const others = answers.filter((each) => !created.includes(each) && !inFlight.includes(each))
    const said = others.map(({ status, reason }) => `${status} ${reason}`)
    check(others.length === 0, `${others.length} other answers, as ${said[0]}`)
    check(
      new Set(created.map(({ guideNumber }) => guideNumber)).size === 1,
      'answers name several guides',
    )
    const guides = all.record.guidesOf(String(made[0]?.id)).map(({ guideNumber }) => guideNumber)
    check(guides.length === 1 && guides[0] === made[0]?.guideNumber, `${guides.length} guides`)
  }
  let next = 0
  const players = Array.from({ length: keysAtOnce }, async () => {
    while (next < options.keys) {
      const number = next++
      await play(`stampede-${number}`)
      const done = number + 1
      if (done % Math.ceil(options.keys / 10) === 0) options.say(`${done} of ${options.keys} keys`)
    }
  })
  await Promise.all(players)
  await Promise.all(pools.map((pool) => pool.close()))
  const guides = all.record.guideCount() - before.guides
  const calls = all.record.callCount('createGuide') - before.calls
  if (guides !== options.keys) violations.push(`${guides} guides of ${options.keys} keys`)
  if (calls !== options.keys) violations.push(`${calls} courier calls of ${options.keys} keys`)
  return { guides, calls, ...sum, violations }
}
