type Parcel = { readonly weight_kg: number; readonly quantity: number }

/** The weight of all pieces in grams. Whole grams, so that sums are exact. */
export function gramsOf({ weight_kg: weightKg, quantity }: Parcel): number {
  return Math.round(weightKg * 1_000) * quantity
}
