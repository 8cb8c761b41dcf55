import { setTimeout as delay } from 'node:timers/promises'
import canonicalize from 'canonicalize'
import { createServices } from '../../src/service/app.ts'
import { readConfig } from '../../src/service/config.ts'
import { fieldErrors } from '../../src/service/field-errors.ts'
import { runningDatabase } from '../../src/service/open-database.ts'
import { createApiKey, scopes } from '../../src/service/security/api-keys.ts'
import { createOrganization } from '../../src/service/security/organizations.ts'
import { batchLine } from '../../src/service/sheets/batch-line.ts'
import { invoiceLineBody } from '../../src/service/sheets/invoice-line-body.ts'
import { say } from '../support/say.ts'
import { noLogger } from '../support/service.ts'
import { type BodyRoute, bodyRoutes, type UglyBody, uglyBodies } from '../support/ugly-bodies.ts'
import { median, row } from './support/bench-rounds.ts'
import { benchService } from './support/bench-service.ts'

// Measures the longest turn of the service's event loop for the ugliest bodies of every route,
// compared with a small request and with reading the lines of JSON in one go. `npm run bench --
// bodies [rounds] [part of a path]`

const name = 'bodies'
const rounds = Number(process.argv[2] ?? 3)
const wanted = process.argv[3] ?? ''
const turnMax = { atMost: 20 }
const shownMax = 3
/** Meanwhile the first lines are processed. */
const warmUpMs = 10_000
const by = { actor: { type: 'system', keyId: null }, requestId: null } as const

const service = await benchService({ courier: 'instant' })

/** A key with every scope: without the scope, a body is not read. */
async function keyOfAll(): Promise<string> {
  const found = runningDatabase(service.dataDir, readConfig())
  if (found === undefined) throw new Error('the service is not running')
  const { url: databaseUrl, secrets } = found
  const parts = createServices({ databaseUrl, secrets, simulatorUrl: null, log: noLogger() })
  try {
    const { id: organizationId } = await createOrganization(
      parts,
      { name: 'Shop', type: 'external' },
      by,
    )
    const order = { organizationId, workspaceId: null, livemode: false, expiresAt: null, scopes }
    return (await createApiKey(parts, order, by)).key
  } finally {
    await parts.close()
  }
}

const key = await keyOfAll()

async function post(path: string, type: string, body: Buffer | string, method = 'POST') {
  const headers = { authorization: `Bearer ${key}`, 'content-type': type }
  const bytes = typeof body === 'string' ? body : new Uint8Array(body)
  const answer = await fetch(service.url + path, { method, headers, body: bytes })
  return { status: answer.status, body: await answer.json().catch(() => null) }
}

async function made(path: string, body: object): Promise<string> {
  const answer = await post(path, 'application/json', JSON.stringify(body))
  if (answer.status !== 201) throw new Error(`${path} was answered with ${answer.status}`)
  return (answer.body as { readonly id: string }).id
}

const workspaceId = await made('/v1/workspaces', { name: 'Shop', external_reference: 'shop' })
const connectionId = await made('/v1/courier-connections', {
  workspace_id: workspaceId,
  provider_code: 'mock',
  display_name: 'Account',
  credentials: { username: 'shop', password: 'secret' },
})

const queries: Readonly<Record<string, string>> = {
  items: `external_reference=bench&workspace_id=${workspaceId}&courier_connection_id=${connectionId}`,
  lines: `reference=bench&courier_connection_id=${connectionId}`,
}

/** Replaces the example's ids with those of the shop. */
function bytesOf({ bytes }: UglyBody): Buffer {
  const text = bytes.toString('latin1')
  return Buffer.from(
    text.replace(/ws_\w{22}/, workspaceId).replace(/ccn_\w{22}/, connectionId),
    'latin1',
  )
}

const busy: ReadonlySet<number> = new Set([401, 403, 429, 500])

async function longestTurn({ method, path, lines }: BodyRoute, body: UglyBody): Promise<number> {
  const isText = body.type !== 'application/json'
  const query = isText && lines !== null ? `?${queries[lines]}` : ''
  const bytes = bytesOf(body)
  await service.longestHoldMs()
  const { status } = await post(path + query, body.type, bytes, method)
  const ms = await service.longestHoldMs()
  if (busy.has(status)) throw new Error(`${path} was answered with ${status}: ${body.what}`)
  return ms
}

/**
 * The least time that reading the lines, reporting every error and comparing them took in one go.
 */
function inOneGoMs({ lines }: BodyRoute, { bytes }: UglyBody): number {
  const before = process.threadCpuUsage()
  try {
    const body = JSON.parse(bytes.toString())
    for (const item of body[lines ?? '']) {
      const { error } = (lines === 'items' ? batchLine : invoiceLineBody).safeParse(item)
      for (const issue of error?.issues ?? []) {
        const keys = issue.code === 'unrecognized_keys' ? issue.keys : ['']
        for (const each of keys) fieldErrors([{ ...issue, keys: [each] } as never], '', item)
      }
    }
    canonicalize(body)
  } catch {}
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

type Found = { readonly what: string; readonly ms: number }
const ugliest = (found: readonly Found[]) => found.toSorted((a, b) => b.ms - a.ms)

async function ofRoute(route: BodyRoute): Promise<number> {
  const found: Found[] = []
  for (const body of uglyBodies(route)) {
    const turns: number[] = []
    for (let round = 0; round < rounds; round++) turns.push(await longestTurn(route, body))
    found.push({ what: body.what, ms: median(turns) })
  }
  const shown = ugliest(found).slice(0, shownMax)
  say(`  ${shown.map(({ what, ms }) => `${ms.toFixed(1)} ms ${what}`).join(', ')}`)
  const ms = shown[0]?.ms ?? Number.NaN
  row({
    name,
    measured: `${route.method} ${route.path.slice(0, 44)}, ms`,
    value: ms,
    target: turnMax,
  })
  if (route.lines === null) return ms
  const before = uglyBodies(route)
    .filter(({ type }) => type === 'application/json')
    .map((body) => ({ what: body.what, ms: inOneGoMs(route, body) }))
  const [worst] = ugliest(before)
  say(`  in one go: ${worst?.ms.toFixed(0)} ms ${worst?.what}`)
  row({ name, measured: 'JSON in one go / in slices', value: (worst?.ms ?? 0) / ms, target: null })
  return ms
}

/** Reads a few lines of each kind first, so that compilation at first use does not count. */
async function warmUp(): Promise<void> {
  for (const route of bodyRoutes.filter(({ lines }) => lines !== null)) {
    for (const body of uglyBodies(route).filter(({ what }) => what.endsWith('sound lines'))) {
      const isText = body.type !== 'application/json'
      const some = body.bytes.toString().split('\n').slice(0, 5).join('\n')
      await longestTurn(route, isText ? { ...body, bytes: Buffer.from(some) } : body)
    }
  }
  await delay(warmUpMs)
  await service.caughtUp()
}

try {
  await warmUp()
  const small: number[] = []
  for (let round = 0; round < 20; round++) {
    await service.longestHoldMs()
    await post('/v1/workspaces', 'application/json', '{}')
    small.push(await service.longestHoldMs())
  }
  row({ name, measured: 'a small request, ms', value: median(small), target: null })
  let longest = 0
  for (const route of bodyRoutes.filter(({ path }) => path.includes(wanted))) {
    longest = Math.max(longest, await ofRoute(route))
  }
  row({ name, measured: 'the longest turn, ms', value: longest, target: turnMax })
  row({
    name,
    measured: 'the longest turn / a small request',
    value: longest / median(small),
    target: null,
  })
} finally {
  await service.stop()
}
