import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { lastCheckpoint } from '../../../src/service/ledger/checkpoints.ts'
import { eventually } from '../../support/eventually.ts'
import { type Service, service } from '../../support/service.ts'
import { noDisk, onOwnDisk, smallDisk } from './small-disk.ts'

/** Enough for several tries of the sealer. */
const failingSeconds = 4

const checks = async (shop: Service) => (await shop.call('/readyz')).body.checks
const figure = async (shop: Service, name: string) => {
  const text = await shop.parts.metrics.registry.metrics()
  const line = text.split('\n').find((each) => each.startsWith(name))
  return line === undefined ? null : Number(line.split(' ').at(-1))
}
const said = ({ logged }: Service, what: string) =>
  logged.filter((line) => JSON.parse(line).msg === what).length

/** Creates orders until the last checkpoint covers one created after this call. */
async function sealsOrders(t: Test, shop: Service): Promise<void> {
  const before = (await lastCheckpoint(shop.parts.db))?.size ?? 0
  t.equal((await shop.create(`sealed-after-${before}`)).status, 201)
  await eventually(
    async () => (await lastCheckpoint(shop.parts.db))?.size ?? 0,
    (size) => size > before,
  )
}

t.test('files beside the database that cannot be written are shown by every process', async (t) => {
  const shop = await service(t)
  const { checkpointDir: folder } = shop
  const other = await service(t, { after: shop, roles: ['api'], checkpointDir: `${folder}-of-api` })
  await sealsOrders(t, shop)
  t.match(await checks(other), { seal: 'ok', erasures: 'ok' })
  t.match((await other.call('/v1/health')).body, { status: 'ok', unwritable_files: [] })
  t.equal(await figure(shop, 'ledger_file_unwritable_seconds'), null)
  t.equal(await figure(shop, 'service_ready'), 1)
  t.ok(Number(await figure(shop, 'disk_free_bytes{folder="checkpoints"}')) > 0)

  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
  const made = await shop.create('not-sealed-yet')
  t.equal(made.status, 201)
  await eventually(
    () => checks(other),
    ({ seal }) => seal === 'checkpoints cannot be written (ENOTDIR)',
  )
  t.equal((await other.call('/readyz')).status, 200, 'it takes orders all the same')
  const erased = await shop.call(`/v1/shipments/${made.body.id}/erase-personal-data`, {
    method: 'POST',
  })
  t.equal(erased.status, 200)
  // The worker writes it to the list after the grace period of its request.
  await shop.advance('PT2M')
  await eventually(
    () => checks(other),
    (found) => found.erasures === 'the list of erasures cannot be written (EEXIST)',
  )
  const { body } = await other.call('/v1/health')
  t.match(body, {
    status: 'degraded',
    database: 'ok',
    unwritable_files: [
      { file: 'checkpoints', code: 'ENOTDIR', since: /Z$/ },
      { file: 'erasures', code: 'EEXIST', since: /Z$/ },
    ],
  })
  await eventually(
    () => figure(shop, 'ledger_file_unwritable_seconds{file="checkpoints"}'),
    (seconds) => seconds !== null && seconds > failingSeconds,
  )
  t.ok(
    Number(await figure(shop, 'ledger_unsealed_seconds')) > 0,
    'what is not signed is not sealed',
  )
  t.equal(said(shop, 'checkpoints cannot be written; trying on'), 1)
  t.equal(said(shop, 'a background task failed and will be retried'), 0)

  rmSync(folder)
  mkdirSync(folder)
  await eventually(
    () => checks(other),
    ({ seal }) => seal === 'ok',
  )
  t.equal(said(shop, 'checkpoints are written again'), 1)
  // The wait grows with each failed try.
  await shop.advance('PT2H')
  await eventually(
    () => checks(other),
    ({ erasures }) => erasures === 'ok',
  )
  t.match((await other.call('/v1/health')).body, { status: 'ok', unwritable_files: [] })
  await sealsOrders(t, shop)
  await eventually(
    () => figure(shop, 'ledger_unsealed_seconds'),
    (seconds) => seconds === 0,
  )
})

for (const { name, code } of [
  { name: 'sealing waits for space on the disk of its checkpoints', code: 'ENOSPC' },
  { name: 'sealing waits for a disk of checkpoints that was made read-only', code: 'EROFS' },
]) {
  t.test(onOwnDisk(name), { skip: noDisk }, async (t) => {
    const disk = smallDisk(t, { sizeMb: 1 })
    if (code === 'ENOSPC') disk.fill()
    else await disk.whenNothingIsWritten('ro')
    const shop = await service(t, { checkpointDir: disk.folder })
    t.equal((await shop.create('not-sealed-yet')).status, 201)
    await eventually(
      () => checks(shop),
      ({ seal }) => seal === `checkpoints cannot be written (${code})`,
    )
    t.match((await shop.call('/v1/health')).body, {
      status: 'degraded',
      unwritable_files: [{ file: 'checkpoints', code }],
    })
    if (code === 'ENOSPC') disk.free()
    else await disk.whenNothingIsWritten('rw')
    await eventually(
      () => checks(shop),
      ({ seal }) => seal === 'ok',
    )
    await sealsOrders(t, shop)
  })
}
