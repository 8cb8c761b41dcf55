import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { type Answer, type ApiClient, isFinal } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import {
  type Check,
  checkProcess,
  checkRoles,
  checkStops,
  openShop,
  type Side,
  seconds,
  startSide,
} from './check-profile.ts'
import type { Profile } from './profile.ts'

const nodes = ['eventstoredb-1', 'eventstoredb-2', 'eventstoredb-3'] as const
type Node = (typeof nodes)[number]

/** A killed container's address does not answer, which took up to 19 s; see docs/guides/eventstoredb.md. */
const createdWithinMs = 30_000
/** A node that was down checks its database and catches up with the leader's log. */
const formedWithinMs = 90_000
/** Between two requests with the same key, as a shop waits. */
const repeatMs = 500
/** Between two creations while an API stops. */
const betweenMs = 100

const authority = '/certificates/ca/ca.crt'
/** The shell of the node's container puts the password in. */
const administrator = 'admin:$KURRENTDB_DEFAULT_ADMIN_PASSWORD'

type Asked = { readonly code: number; readonly text: string }

/** What a node answers on its HTTPS port to a user. Throws if it does not answer. */
async function ask(profile: Profile, node: Node, path: string, user: string): Promise<Asked> {
  const url = `https://localhost:2113${path}`
  const curl = `curl --silent --max-time 5 --cacert ${authority} --write-out '\n%{http_code}'`
  const lines = (await profile.exec(node, 'bash', '-c', `${curl} --user "${user}" ${url}`)).split(
    '\n',
  )
  return { code: Number(lines.at(-1)), text: lines.slice(0, -1).join('\n') }
}

const gossip = z.object({
  members: z.array(
    z.object({ state: z.string(), isAlive: z.boolean(), httpEndPointIp: z.enum(nodes) }),
  ),
})

/** The state of each node that is alive, as this one reports it; none while it does not. */
async function statesAt(profile: Profile, node: Node): Promise<ReadonlyMap<Node, string>> {
  const asked = await ask(profile, node, '/gossip', administrator).catch(() => null)
  if (asked?.code !== 200) return new Map()
  const { members } = gossip.parse(JSON.parse(asked.text))
  const alive = members.filter(({ isAlive }) => isAlive)
  return new Map(alive.map(({ state, httpEndPointIp }) => [httpEndPointIp, state]))
}

/** Waits until every node reports one leader and two followers, and returns the leader. */
async function formed(profile: Profile): Promise<Node> {
  const leaders = async () => {
    const views = await Promise.all(nodes.map((node) => statesAt(profile, node)))
    const isWhole = views.every(
      (view) => [...view.values()].toSorted().join() === 'Follower,Follower,Leader',
    )
    return isWhole ? views.map((view) => nodes.find((node) => view.get(node) === 'Leader')) : []
  }
  const [leader] = await eventually(leaders, (found) => new Set(found).size === 1, formedWithinMs)
  if (leader === undefined) throw new Error('bug: a formed cluster has a leader')
  return leader
}

async function checkCertificates(profile: Profile, check: Check): Promise<void> {
  const [node] = nodes
  const health = ['curl', '--silent', '--fail', 'https://localhost:2113/health/live']
  const trusting = await profile.exitCodeOf(node, ...health, '--cacert', authority)
  const doubting = await profile.exitCodeOf(node, ...health)
  const codes = `${trusting}, without it ${doubting}`
  // 60: curl cannot verify the certificate.
  check(codes === '0, without it 60', `a node is trusted by its authority (curl: ${codes})`)
  const list = "stat -c '%a %u %n' /certificates/*/*.key"
  const keys = await profile.exec(node, 'bash', '-c', list)
  const wanted = nodes.map((_, index) => `400 1001 /certificates/node-${index + 1}/node.key`)
  check(keys === wanted.join('\n'), "the authority's key is gone, and only its user reads a node's")

  const script = `
    const { existsSync, readdirSync } = require('node:fs')
    console.log(existsSync('/certificates'), readdirSync('/authority').join())`
  for (const name of ['api-1', 'worker', 'cluster-simulator']) {
    const seen = await profile.exec(name, 'node', '-e', script)
    check(
      seen === 'false ca.crt',
      `${name} has the authority's certificate and no node's (${seen})`,
    )
  }
  const sum = () => profile.exec(node, 'sha256sum', authority, '/certificates/node-1/node.crt')
  const before = await sum()
  await profile.start('certificates')
  check((await sum()) === before, 'certificates, started again, makes no new ones')
}

async function checkUsers(profile: Profile, check: Check): Promise<void> {
  const [node] = nodes
  // A follower passes the question on to the leader, and has to reach it first.
  const { text } = await eventually(
    () => ask(profile, node, '/users/ledger', administrator),
    ({ code }) => code !== 500,
  )
  check(/"shipping-ledger"/.test(text), 'EventStoreDB has the user of the service')
  const { code } = await ask(profile, node, '/gossip', 'admin:changeit')
  check(code === 401, `admin has no default password (${code})`)
}

/** The proxy reaches the APIs and no store, and a store reaches nothing outside. */
async function checkNetworks(profile: Profile, check: Check): Promise<void> {
  const connects = async (from: string, name: string, port: number) => {
    const to = profile.addressOf(name)
    const script = `
      const socket = require('node:net').connect(${port}, '${to}')
      socket.setTimeout(3000, () => process.exit(1))
      socket.on('connect', () => process.exit(0)).on('error', () => process.exit(1))`
    const commands: Record<string, readonly string[]> = {
      proxy: ['sh', '-c', `nc -w 3 ${to} ${port} </dev/null`],
      'eventstoredb-1': ['bash', '-c', `timeout 3 bash -c '</dev/tcp/${to}/${port}'`],
    }
    const command = commands[from] ?? ['node', '-e', script]
    return (await profile.exitCodeOf(from, ...command)) === 0
  }
  const ways = [
    ['proxy', 'api-1', 3000, true],
    ['proxy', 'cluster-postgres', 5432, false],
    ['proxy', 'eventstoredb-1', 2113, false],
    ['proxy', 'cluster-simulator', 4000, false],
    ['eventstoredb-1', 'eventstoredb-2', 2113, true],
    ['eventstoredb-1', 'proxy', 8080, false],
    ['api-1', 'cluster-postgres', 5432, true],
  ] as const
  for (const [from, to, port, isOpen] of ways) {
    const found = await connects(from, to, port)
    check(found === isOpen, `${from} ${found ? 'reaches' : 'does not reach'} ${to}`)
  }
}

/** Sends a creation until its answer is final, as a shop does. */
async function created(shop: ApiClient, key: string): Promise<Answer> {
  const send = async () => {
    const answer = await shop.create(key)
    if (!isFinal(answer)) await delay(repeatMs)
    return answer
  }
  return await eventually(send, isFinal, createdWithinMs)
}

async function checkCreation(
  shop: ApiClient,
  check: Check,
  { key, when }: { readonly key: string; readonly when: string },
): Promise<void> {
  const beganAt = performance.now()
  const { status, body } = await created(shop, key)
  const tookMs = performance.now() - beganAt
  const again = await created(shop, key)
  const isSame = body.guide_number !== null && again.body.guide_number === body.guide_number
  const said = `${status}, guide ${body.guide_number}, after ${seconds(tookMs)}`
  check(status === 201 && isSame, `${when}: created, and the same when repeated (${said})`)
}

/** The leader is killed and stays down; later another loses its process. */
async function checkFaults(profile: Profile, shop: ApiClient, check: Check): Promise<void> {
  const leader = await formed(profile)
  const state = await profile.kill(leader)
  check(state === 'exited 137', `the leader ${leader} is killed and stays down (${state})`)
  await checkCreation(shop, check, { key: 'order-5002', when: 'one node down' })
  const [other] = nodes.filter((node) => node !== leader)
  const view = other === undefined ? new Map() : await statesAt(profile, other)
  const states = [...view.values()].toSorted().join()
  check(states === 'Follower,Leader', `the other two elected one of them (${states})`)
  await profile.start(leader)
  const next = await formed(profile)
  check(next !== leader, `${leader} is back and follows ${next}`)
  await checkCreation(shop, check, { key: 'order-5003', when: 'all nodes back' })
  check(await profile.losesProcess(next), `${next} lost its process and was started again`)
  await checkCreation(shop, check, { key: 'order-5004', when: 'a process lost' })
  check(nodes.includes(await formed(profile)), 'the cluster has formed again')
}

/** While one API stops, the proxy finds the other for every request. */
async function checkProxy(profile: Profile, shop: ApiClient, check: Check): Promise<void> {
  const stopping = profile.stop('api-1')
  let isStopped = false
  void stopping.finally(() => {
    isStopped = true
  })
  const statuses = new Map<number, number>()
  for (let order = 6001; !isStopped; order++) {
    const { status } = await shop.create(`order-${order}`)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    await delay(betweenMs)
  }
  const { exitCode, ms } = await stopping
  check(exitCode === 0, `api-1 stopped in ${seconds(ms)} and exited with ${exitCode}`)
  const said = [...statuses].map(([status, count]) => `${count} times ${status}`).join(', ')
  check([...statuses.keys()].join() === '201', `meanwhile every creation was answered: ${said}`)
  await checkCreation(shop, check, { key: 'order-5005', when: 'one API left' })
}

/** Starts the cluster of the Compose file, checks it and stops it. */
export async function checkCluster(side: Side): Promise<void> {
  const { check } = side
  const { profile, names } = await startSide(side, 'proxy')
  await checkRoles(profile, check, 'cluster-postgres')
  for (const name of ['api-1', 'worker']) await checkProcess(profile, check, name)
  await checkCertificates(profile, check)
  await checkUsers(profile, check)
  await checkNetworks(profile, check)
  const url = await profile.url('proxy', 8080)
  const shop = await openShop(profile, check, { name: 'api-1', url })
  await checkCreation(shop, check, { key: 'order-5001', when: 'all nodes up' })
  await checkFaults(profile, shop, check)
  await checkProxy(profile, shop, check)
  await checkStops(
    profile,
    check,
    names.filter((name) => name !== 'api-1'),
  )
}
