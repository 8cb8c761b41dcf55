import { exampleIds } from './examples.ts'

export const exampleCourier = {
  object: 'courier' as const,
  provider_code: 'mock',
  display_name: 'Simulated courier',
  modes: ['test' as const],
  capabilities: {
    find: true,
    cancel: true,
    tracking: true,
    label: true,
    quote: true,
    invoices: true,
    cash_on_delivery: true,
    declared_value: true,
    recipient_phone: true,
  },
  credential_fields: [
    { name: 'username', label: 'User name', secret: false, required: true },
    { name: 'password', label: 'Password', secret: true, required: true },
  ],
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
