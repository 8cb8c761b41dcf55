import type { Guide as CourierGuide } from '../../couriers/courier.ts'
import type { Guide } from '../../domain/operation/machine.ts'
import type { Keeper } from '../../security/vault/vault.ts'

/** Guides that the courier listed, with their pickup codes in the vault. */
export async function keepGuides(
  keeper: Keeper,
  listed: readonly CourierGuide[],
): Promise<readonly Guide[]> {
  const guides = listed.map(async ({ guideNumber, price, pickupCode }): Promise<Guide> => {
    const pickupCodeRef = pickupCode === null ? null : await keeper.put({ pickup_code: pickupCode })
    return { guideNumber, price, pickupCodeRef }
  })
  return await Promise.all(guides)
}
