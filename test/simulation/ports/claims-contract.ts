import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { type Claims, cooldownMs } from '../../../src/service/processes/due/claims.ts'
import { claimTimes } from '../../../src/service/queue/claim.ts'

/** An adapter with nothing due, whose time and due work the test controls. */
export type ClaimsUnderTest = {
  readonly claims: Claims
  /** Makes work due after this time (negative: before now); duty `track` by default. */
  owe(shipmentId: string, inMs: number, job?: 'track' | 'reconcile'): Promise<void>
  /** Advances the time. */
  pass(ms: number): Promise<void>
}

/** The promises of every adapter of `Claims`. */
export function claimsContract(t: Test, name: string, open: (t: Test) => Promise<ClaimsUnderTest>) {
  const ids = async (claims: Claims, owner: string, limit = 10) =>
    (await claims.claim('track', owner, limit)).map(({ shipmentId }) => shipmentId)

  t.test(`${name}: due work is leased to one owner at a time, longest overdue first`, async (t) => {
    const { claims, owe } = await open(t)
    for (const [id, inMs] of [
      ['b', -2_000],
      ['a', -1_000],
      ['c', -3_000],
      ['later', 60_000],
    ] as const) {
      await owe(id, inMs)
    }
    const [one, other] = [randomUUID(), randomUUID()]
    t.same((await ids(claims, one, 2)).sort(), ['b', 'c'])
    t.same(await ids(claims, other), ['a'])
    t.same(await ids(claims, randomUUID()), [], 'nothing is claimed before it is due')
  })

  t.test(`${name}: concurrent claims give each shipment to one owner`, async (t) => {
    const { claims, owe } = await open(t)
    for (let count = 0; count < 20; count++) await owe(`s${count}`, -1_000)
    const claimed = await Promise.all(
      Array.from({ length: 6 }, () => ids(claims, randomUUID(), 20)),
    )
    const all = claimed.flat()
    t.equal(new Set(all).size, all.length)
    const rest = await ids(claims, randomUUID(), 20)
    t.equal(new Set([...all, ...rest]).size, 20)
  })

  t.test(`${name}: a lease expires unless it is renewed`, async (t) => {
    const { claims, owe, pass } = await open(t)
    await owe('a', -1_000)
    const [dead, next, renewing] = [randomUUID(), randomUUID(), randomUUID()]
    t.same(await ids(claims, dead), ['a'])
    await pass(claimTimes.leaseMs + 1_000)
    t.same(await ids(claims, next), ['a'])
    await claims.release(dead, [{ shipmentId: 'a', performed: 'done' }])
    t.same(await ids(claims, renewing), [], 'leases taken over by another owner are unchanged')
    await pass(claimTimes.leaseMs - 2_000)
    await claims.renew(next)
    await pass(claimTimes.leaseMs - 2_000)
    t.same(await ids(claims, renewing), [])
  })

  t.test(`${name}: released work is left alone for its time`, async (t) => {
    const { claims, owe, pass } = await open(t)
    for (const id of ['done', 'idle', 'deferred']) await owe(id, -1_000)
    const [owner, other] = [randomUUID(), randomUUID()]
    t.equal((await claims.claim('track', owner, 10)).length, 3)
    await claims.release(
      owner,
      (['done', 'idle', 'deferred'] as const).map((performed) => ({
        shipmentId: performed,
        performed,
      })),
    )
    const { done, idle, deferred } = cooldownMs
    t.same(await ids(claims, other), [])
    await pass(done + 100)
    t.same(await ids(claims, other), ['done'])
    await pass(idle)
    t.same(await ids(claims, other), ['idle'])
    await pass(deferred)
    t.ok((await ids(claims, randomUUID())).includes('deferred'))
  })

  t.test(`${name}: work that fails is left alone longer each time, up to a limit`, async (t) => {
    const { claims, owe, pass } = await open(t)
    await owe('a', -1_000)
    const owner = randomUUID()
    const { failedMs, failedMsMax } = claimTimes
    const release = (performed: 'failed' | 'done') =>
      claims.release(owner, [{ shipmentId: 'a', performed }])
    const fails = async (waitMs: number) => {
      t.same(await ids(claims, owner), ['a'])
      await release('failed')
      await pass(waitMs - 500)
      t.same(await ids(claims, owner), [], `it is left alone for ${waitMs} ms`)
      await pass(600)
    }
    for (let waitMs = failedMs; waitMs < failedMsMax; waitMs *= 2) await fails(waitMs)
    for (let count = 0; count < 40; count++) {
      t.same(await ids(claims, owner), ['a'])
      await release('failed')
      await pass(failedMsMax)
    }
    await fails(failedMsMax)
    t.same(await ids(claims, owner), ['a'])
    await release('done')
    await pass(cooldownMs.done + 100)
    await fails(failedMs)
  })

  t.test(`${name}: the owner of a shipment does all that is due for it`, async (t) => {
    const { claims, owe } = await open(t)
    await owe('a', -1_000, 'track')
    await owe('a', -1_000, 'reconcile')
    t.same(await ids(claims, randomUUID()), ['a'])
    t.same(await claims.claim('reconcile', randomUUID(), 10), [])
  })
}
