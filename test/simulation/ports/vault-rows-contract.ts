import { randomBytes, randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import type { BesideFirst, SealedRow } from '../../../src/service/event-store/beside.ts'
import type { VaultRows } from '../../../src/service/security/vault/vault-rows.ts'

/** An empty adapter with organizations and their quotas. */
export type VaultRowsUnderTest = {
  readonly rows: VaultRows
  /** Creates an organization with this quota (null for no limit) and returns its id. */
  organization(quota: number | null): Promise<string>
  /** The number of places used in its quota. */
  used(organizationId: string): Promise<number>
}

const owner = { organizationId: 'org_a', workspaceId: 'ws_a' }

function sealed(shipmentId: string, organizationId = owner.organizationId): SealedRow {
  return {
    ...owner,
    organizationId,
    shipmentId,
    ref: randomUUID(),
    masterKeyId: 'a'.repeat(16),
    wrappedKey: randomBytes(60),
    payload: randomBytes(40),
  }
}

const alone = (row: SealedRow): BesideFirst => ({ row, version: 0, isIntent: false })
const item = (vaultRef: string) => ({ ref: randomUUID(), vaultRef, payload: randomBytes(20) })

type Reserving = { readonly version?: number; readonly isUnread?: boolean }

function reserving(
  {
    organizationId,
    workspaceId,
    shipmentId,
  }: Omit<SealedRow, 'ref' | 'payload' | 'masterKeyId' | 'wrappedKey'>,
  { version = 0, isUnread = false }: Reserving = {},
): BesideFirst {
  const reservation = { livemode: false, isUnread }
  const attempt = { organizationId, workspaceId, shipmentId, reservation, clock: null }
  return { attempt, version, isIntent: true }
}

/** The promises of every adapter of `VaultRows`. */
export function vaultRowsContract(
  t: Test,
  name: string,
  open: (t: Test) => Promise<VaultRowsUnderTest>,
) {
  t.test(`${name}: exactly the inserted rows are read back`, async (t) => {
    const { rows } = await open(t)
    const [one, two] = [sealed('shp_1'), sealed('shp_2')]
    t.strictSame(await rows.storeFirst([alone(one), alone(two)]), [null, null])
    const found = await rows.readRows([one.ref, two.ref, randomUUID()])
    const byRef = (a: SealedRow, b: SealedRow) => (a.ref < b.ref ? -1 : 1)
    t.same([...found].sort(byRef), [one, two].sort(byRef))
  })

  t.test(
    `${name}: items are erased with their row, and an erased row takes no items`,
    async (t) => {
      const { rows } = await open(t)
      const [kept, erased] = [sealed('shp_1'), sealed('shp_2')]
      await rows.storeFirst([alone(kept), alone(erased), alone({ ...erased, ref: randomUUID() })])
      const [a, b] = [item(kept.ref), item(erased.ref)]
      t.same(await rows.insertItems([a, b, item(randomUUID())]), [true, true, false])
      t.same(await rows.insertItems([a, b]), [true, true], 'again')
      t.equal(await rows.eraseRows('shp_2'), true)
      t.equal(await rows.eraseRows('shp_2'), false)
      t.same(await rows.insertItems([item(erased.ref), item(kept.ref)]), [false, true])
      t.match(await rows.readItems([a.ref, b.ref]), [{ ...kept, ...a }])
      t.same(await rows.readRows([erased.ref]), [])
    },
  )

  t.test(
    `${name}: of concurrent shipments, only as many as the quota allows are stored`,
    async (t) => {
      const { rows, organization, used } = await open(t)
      const organizationId = await organization(3)
      const wanted = Array.from({ length: 8 }, (_, count) => `shp_${count}`)
      const answers = await Promise.all(
        wanted.map(async (shipmentId) => {
          const row = sealed(shipmentId, organizationId)
          const [withheld] = await rows.storeFirst([{ ...reserving(row), row }])
          const isThere = (await rows.readRows([row.ref])).length === 1
          return { withheld, isThere }
        }),
      )
      t.equal(answers.filter(({ withheld }) => withheld === null).length, 3)
      t.equal(answers.filter(({ withheld }) => withheld?.kind === 'exceeded').length, 5)
      t.ok(answers.every(({ withheld, isThere }) => (withheld === null) === isThere))
      t.equal(await used(organizationId), 3)
    },
  )

  t.test(
    `${name}: a shipment takes only one place of the quota, however often reserved`,
    async (t) => {
      const { rows, organization, used } = await open(t)
      const organizationId = await organization(1)
      const reserve = async (shipmentId: string, version: number) => {
        const [withheld] = await rows.storeFirst([
          reserving({ ...owner, organizationId, shipmentId }, { version }),
        ])
        return withheld?.kind ?? 'held'
      }
      t.equal(await reserve('shp_1', 0), 'held')
      t.equal(await reserve('shp_1', 0), 'held')
      t.equal(await reserve('shp_1', 4), 'held')
      t.equal(await reserve('shp_1', 2), 'held', 'an older version of the stream changes nothing')
      t.equal(await reserve('shp_2', 0), 'exceeded')
      t.equal(await used(organizationId), 1)
    },
  )

  t.test(
    `${name}: an unread stream whose shipment already has a place writes nothing`,
    async (t) => {
      const { rows, organization, used } = await open(t)
      const organizationId = await organization(2)
      const put = async (shipmentId: string, isUnread: boolean) => {
        const row = sealed(shipmentId, organizationId)
        const [withheld] = await rows.storeFirst([{ ...reserving(row, { isUnread }), row }])
        return [withheld?.kind ?? 'held', (await rows.readRows([row.ref])).length]
      }
      t.same(await put('shp_1', true), ['held', 1])
      t.same(await put('shp_1', true), ['known', 0])
      t.same(await put('shp_1', false), ['held', 1], 'the stream was looked for')
      const both = [false, true].map((isUnread) => {
        const row = sealed('shp_1', organizationId)
        return { ...reserving(row, { isUnread }), row }
      })
      t.strictSame(await rows.storeFirst(both), [null, { kind: 'known' }], 'each its own answer')
      const refs = await Promise.all(both.map(({ row }) => rows.readRows([row.ref])))
      t.same(
        refs.map(({ length }) => length),
        [1, 0],
      )
      t.same(await put('shp_2', true), ['held', 1])
      t.same(await put('shp_3', true), ['exceeded', 0])
      t.equal(await used(organizationId), 2)
    },
  )
}
