import { userNameAndPassword } from '../../couriers/connector-description.ts'
import { everyCapability } from '../../couriers/courier.ts'
import { exampleIds } from './examples.ts'

export const exampleCourier = {
  object: 'courier' as const,
  provider_code: 'mock',
  display_name: 'Simulated courier',
  modes: ['test' as const],
  capabilities: everyCapability,
  credential_fields: userNameAndPassword.map((field) => ({ ...field })),
}

export const exampleAgency = {
  id: exampleIds.originId,
  object: 'agency' as const,
  livemode: false,
  name: 'Agencia Abancay',
  address: 'Jirón Tres Molinos 129',
  department: 'Apurímac',
  province: 'Abancay',
  district: 'Abancay',
  capabilities: ['drop_off' as const, 'pickup' as const],
  provider_code: 'mock',
  created_at: null,
}

export const exampleProduct = {
  id: exampleIds.productId,
  object: 'package_product' as const,
  livemode: false,
  name: 'Box L',
  max_weight_kg: 40,
  max_length_m: 0.8,
  max_width_m: 0.6,
  max_height_m: 0.5,
  provider_code: 'mock',
  created_at: null,
}
