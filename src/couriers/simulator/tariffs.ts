import type { Money, NativePackageProduct } from '../courier.ts'
import { simulatedAgencyByCode } from './agencies.ts'

type Product = NativePackageProduct & {
  /** Céntimos for a piece within a department. */
  readonly baseAmount: number
  /** Céntimos for each started kilogram. */
  readonly kilogramAmount: number
}

function product(
  code: string,
  name: string,
  maxWeightKg: number,
  [maxLengthM, maxWidthM, maxHeightM]: readonly [number, number, number],
  [baseAmount, kilogramAmount]: readonly [number, number],
): Product {
  return {
    code,
    name,
    maxWeightKg,
    maxLengthM,
    maxWidthM,
    maxHeightM,
    baseAmount,
    kilogramAmount,
  }
}

const products: readonly Product[] = [
  product('envelope', 'Envelope', 1, [0.35, 0.25, 0.03], [600, 100]),
  product('box_xxs', 'Box XXS', 2, [0.2, 0.15, 0.12], [800, 110]),
  product('box_xs', 'Box XS', 5, [0.3, 0.2, 0.15], [1_000, 120]),
  product('box_s', 'Box S', 10, [0.4, 0.3, 0.25], [1_400, 130]),
  product('box_m', 'Box M', 20, [0.5, 0.4, 0.35], [1_900, 140]),
  product('box_l', 'Box L', 40, [0.8, 0.6, 0.5], [2_800, 150]),
  product('pallet', 'Pallet', 1_000, [1.2, 1.2, 2], [18_000, 90]),
]

export const simulatedPackageProducts: readonly NativePackageProduct[] = products.map(
  ({ baseAmount: _base, kilogramAmount: _kilogram, ...native }) => native,
)

const simulatedProductByCode: ReadonlyMap<string, Product> = new Map(
  products.map((product) => [product.code, product]),
)

/** The package's part of a request on the wire. */
type Parcel = {
  readonly product_code: string
  readonly quantity: number
  readonly weight_kg: number
  readonly height_m: number
  readonly length_m: number
  readonly width_m: number
}

export const simulatedModes = ['terrestrial', 'air'] as const

type Tariff = {
  readonly price: Money
  readonly breakdown: readonly { readonly code: string; readonly amount: number }[]
  readonly transitDays: { readonly min: number; readonly max: number }
}

/** Outside the department costs half as much again, air two thirds more. */
const outsidePercent = 150
const airPercent = 167
/** How much `quote_partial` raises the tariff after the first quote. */
export const raisedPercent = 110

export function tariffFor(
  route: { readonly origin: string; readonly destination: string },
  parcel: Parcel,
  mode: string,
  percent = 100,
): Tariff {
  const own = simulatedProductByCode.get(parcel.product_code)
  if (own === undefined) throw new Error('bug: a tariff for a product that was not checked')
  const from = simulatedAgencyByCode.get(route.origin)
  const to = simulatedAgencyByCode.get(route.destination)
  const outside = from?.department !== to?.department
  const piece = own.baseAmount + Math.ceil(parcel.weight_kg) * own.kilogramAmount
  const freight = Math.round(
    (piece * parcel.quantity * (outside ? outsidePercent : 100) * percent) / 10_000,
  )
  const air = mode === 'air' ? Math.round((freight * (airPercent - 100)) / 100) : 0
  const breakdown = [
    { code: 'freight', amount: freight },
    ...(air === 0 ? [] : [{ code: 'air', amount: air }]),
  ]
  return {
    price: { amount: freight + air, currency: 'PEN' },
    breakdown,
    transitDays: mode === 'air' ? { min: 1, max: 1 } : { min: 1, max: outside ? 4 : 2 },
  }
}

/** Why the simulated courier refuses this package on this route; null = it accepts it. */
export function refusalOf(
  route: { readonly origin: string; readonly destination: string },
  parcel: Parcel,
): { readonly code: string; readonly message: string } | null {
  const from = simulatedAgencyByCode.get(route.origin)
  const to = simulatedAgencyByCode.get(route.destination)
  if (from === undefined || !from.capabilities.includes('drop_off')) {
    return { code: 'unknown_agency', message: 'La agencia de origen no recibe envíos.' }
  }
  if (to === undefined || !to.capabilities.includes('pickup') || from.code === to.code) {
    return { code: 'unknown_agency', message: 'La agencia de destino no entrega este envío.' }
  }
  const own = simulatedProductByCode.get(parcel.product_code)
  if (own === undefined) {
    return { code: 'unknown_package_product', message: 'El tipo de paquete no existe.' }
  }
  const fits =
    parcel.weight_kg <= own.maxWeightKg &&
    parcel.length_m <= own.maxLengthM &&
    parcel.width_m <= own.maxWidthM &&
    parcel.height_m <= own.maxHeightM
  if (fits) return null
  return { code: 'package_exceeds_product', message: 'El paquete excede los límites.' }
}
