import type { Courier } from '../../couriers/courier.ts'
import type { Couriers } from '../../couriers/couriers.ts'
import { Problem } from '../../errors.ts'
import type { CourierAccount } from './courier-accounts.ts'

export type UsableConnection = { readonly account: CourierAccount; readonly courier: Courier }

/** The account with its courier, if new calls may be made with it. Throws a Problem otherwise. */
export function usableConnection(
  couriers: Couriers,
  account: CourierAccount,
  mode: Parameters<Couriers['courierFor']>[0],
): UsableConnection {
  if (account.status === 'disabled') throw new Problem('connection_disabled')
  if (account.status === 'needs_reauth') throw new Problem('connection_needs_reauth')
  const courier = couriers.courierFor(mode)
  if (courier === null) throw new Problem('courier_not_available')
  return { account, courier }
}
