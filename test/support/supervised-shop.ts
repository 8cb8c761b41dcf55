import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** A shop's own view of an order. */
export type ShopOrder = {
  readonly id: string
  readonly key: string
  readonly attempt: number
  readonly due: number
  readonly action: string | null
  readonly label: boolean
  readonly shipment: {
    readonly id: string
    readonly status: string
    readonly guide_number: string | null
    readonly version: number
    readonly tracking: { readonly status: string | null }
  } | null
}

type Program = {
  readonly command: string
  readonly arguments: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly port: number
}

/** A shop's program that is started again whenever it ends, as a supervisor does. */
export function supervisedShop(t: Test, program: Program) {
  const url = `http://127.0.0.1:${program.port}`
  let child: ChildProcess | null = null
  let isOver = false
  let starts = 0
  let troubles = ''
  const supervised = (async () => {
    while (!isOver) {
      starts++
      child = spawn(program.command, program.arguments, {
        env: { ...process.env, ...program.env, PORT: String(program.port) },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      child.stderr?.setEncoding('utf8').on('data', (text) => {
        troubles += text
      })
      await once(child, 'exit')
    }
  })()
  t.teardown(async () => {
    isOver = true
    child?.kill('SIGKILL')
    await supervised
  })
  /** Asks until the shop, which may have just been killed, answers. */
  async function asked(path: string, body?: object): Promise<Response> {
    for (;;) {
      const sent = { method: 'POST', headers: { 'content-type': 'application/json' } }
      const init = body === undefined ? {} : { ...sent, body: JSON.stringify(body) }
      const answer = await fetch(url + path, init).catch(() => null)
      if (answer !== null) return answer
      await delay(25)
    }
  }
  return {
    url,
    starts: () => starts,
    troubles: () => troubles,
    /** False if it has been killed already and is not started again yet. */
    kill: () => child !== null && !child.killed && child.kill('SIGKILL'),
    order: async (body: object) => (await asked('/orders', body)).status,
    read: async (id: string) => (await (await asked(`/orders/${id}`)).json()) as ShopOrder,
  }
}
