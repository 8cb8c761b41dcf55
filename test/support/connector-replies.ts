/** An agency as a connector lists it. */
export function agencyAt(code: string, name: string) {
  return {
    code,
    name,
    address: `Av. ${name} 100`,
    department: name,
    province: name,
    district: name,
    capabilities: ['drop_off', 'pickup'],
  }
}

/** A package product as a connector lists it. */
export const box = {
  code: 'BOX',
  name: 'Box',
  max_weight_kg: 20,
  max_length_m: 1,
  max_width_m: 1,
  max_height_m: 1,
}

export function success(body: object = {}) {
  return { status: 200, body: { success: true, ...body } }
}

export function refusal(code: string, status = 200) {
  return { status, body: { success: false, code } }
}
