import type { Money, NativePackageProduct } from '../service/couriers/courier.ts'
import { simulatedAgencyByCode } from './agencies.ts'

type Product = NativePackageProduct & {
  /** Céntimos for a piece within a department. */
  readonly baseAmount: number
  /** Céntimos for each started kilogram. */
  readonly kilogramAmount: number
}

const products: readonly Product[] = [
  {
    code: 'envelope',
    name: 'Envelope',
    maxWeightKg: 1,
    maxLengthM: 0.35,
    maxWidthM: 0.25,
    maxHeightM: 0.03,
    baseAmount: 600,
    kilogramAmount: 100,
  },
  {
    code: 'box_xxs',
    name: 'Box XXS',
    maxWeightKg: 2,
    maxLengthM: 0.2,
    maxWidthM: 0.15,
    maxHeightM: 0.12,
    baseAmount: 800,
    kilogramAmount: 110,
  },
  {
    code: 'box_xs',
    name: 'Box XS',
    maxWeightKg: 5,
    maxLengthM: 0.3,
    maxWidthM: 0.2,
    maxHeightM: 0.15,
    baseAmount: 1_000,
    kilogramAmount: 120,
  },
  {
    code: 'box_s',
    name: 'Box S',
    maxWeightKg: 10,
    maxLengthM: 0.4,
    maxWidthM: 0.3,
    maxHeightM: 0.25,
    baseAmount: 1_400,
    kilogramAmount: 130,
  },
  {
    code: 'box_m',
    name: 'Box M',
    maxWeightKg: 20,
    maxLengthM: 0.5,
    maxWidthM: 0.4,
    maxHeightM: 0.35,
    baseAmount: 1_900,
    kilogramAmount: 140,
  },
  {
    code: 'box_l',
    name: 'Box L',
    maxWeightKg: 40,
    maxLengthM: 0.8,
    maxWidthM: 0.6,
    maxHeightM: 0.5,
    baseAmount: 2_800,
    kilogramAmount: 150,
  },
  {
    code: 'pallet',
    name: 'Pallet',
    maxWeightKg: 1_000,
    maxLengthM: 1.2,
    maxWidthM: 1.2,
    maxHeightM: 2,
    baseAmount: 18_000,
    kilogramAmount: 90,
  },
]

export const simulatedPackageProducts: readonly NativePackageProduct[] = products.map(
  ({ baseAmount: _base, kilogramAmount: _kilogram, ...native }) => native,
)

const simulatedProductByCode: ReadonlyMap<string, Product> = new Map(
  products.map((product) => [product.code, product]),
)

/** The package in a request of the protocol. */
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

/** The surcharges: 50 % for a route that leaves the department, 67 % for air. */
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

/** Why the simulated courier refuses this package on this route; null if it accepts it. */
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
