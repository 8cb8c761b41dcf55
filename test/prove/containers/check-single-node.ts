import {
  checkProcess,
  checkRoles,
  checkStops,
  openShop,
  type Side,
  startSide,
} from './check-profile.ts'

/** Starts the single node of the Compose file, checks it and stops it. */
export async function checkSingleNode(side: Side): Promise<void> {
  const { check } = side
  const { profile, names } = await startSide(side, 'app')
  await checkRoles(profile, check, 'postgres')
  await checkProcess(profile, check, 'app')
  const url = await profile.url('app', 3000)
  const shop = await openShop(profile, check, { name: 'app', url })
  const { status, body } = await shop.create('order-5001')
  check(status === 201, `a creation is answered 201 (${status}, guide ${body.guide_number})`)
  await checkStops(profile, check, names)
}
