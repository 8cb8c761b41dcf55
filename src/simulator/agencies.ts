import type { NativeAgency } from '../service/couriers/courier.ts'

type Locality = readonly [department: string, province: string, district: string]

/** Real localities in Peru. Their streets and agencies are invented. */
const localities: readonly Locality[] = [
  ['Amazonas', 'Chachapoyas', 'Chachapoyas'],
  ['Amazonas', 'Utcubamba', 'Bagua Grande'],
  ['Áncash', 'Huaraz', 'Huaraz'],
  ['Áncash', 'Santa', 'Chimbote'],
  ['Apurímac', 'Abancay', 'Abancay'],
  ['Apurímac', 'Andahuaylas', 'Andahuaylas'],
  ['Arequipa', 'Arequipa', 'Cayma'],
  ['Arequipa', 'Arequipa', 'Cerro Colorado'],
  ['Arequipa', 'Camaná', 'Camaná'],
  ['Ayacucho', 'Huamanga', 'Ayacucho'],
  ['Ayacucho', 'Huanta', 'Huanta'],
  ['Cajamarca', 'Cajamarca', 'Cajamarca'],
  ['Cajamarca', 'Jaén', 'Jaén'],
  ['Callao', 'Callao', 'Callao'],
  ['Callao', 'Callao', 'Ventanilla'],
  ['Cusco', 'Cusco', 'Cusco'],
  ['Cusco', 'Cusco', 'Wanchaq'],
  ['Cusco', 'La Convención', 'Santa Ana'],
  ['Huancavelica', 'Huancavelica', 'Huancavelica'],
  ['Huánuco', 'Huánuco', 'Huánuco'],
  ['Huánuco', 'Leoncio Prado', 'Rupa Rupa'],
  ['Ica', 'Ica', 'Ica'],
  ['Ica', 'Chincha', 'Chincha Alta'],
  ['Ica', 'Nasca', 'Nasca'],
  ['Junín', 'Huancayo', 'Huancayo'],
  ['Junín', 'Huancayo', 'El Tambo'],
  ['Junín', 'Satipo', 'Satipo'],
  ['La Libertad', 'Trujillo', 'La Esperanza'],
  ['La Libertad', 'Chepén', 'Chepén'],
  ['Lambayeque', 'Chiclayo', 'Chiclayo'],
  ['Lambayeque', 'Lambayeque', 'Lambayeque'],
  ['Lima', 'Lima', 'Miraflores'],
  ['Lima', 'Lima', 'San Isidro'],
  ['Lima', 'Lima', 'La Victoria'],
  ['Lima', 'Lima', 'Los Olivos'],
  ['Lima', 'Lima', 'San Juan de Lurigancho'],
  ['Lima', 'Lima', 'Ate'],
  ['Lima', 'Lima', 'Villa El Salvador'],
  ['Lima', 'Cañete', 'San Vicente de Cañete'],
  ['Lima', 'Huaura', 'Huacho'],
  ['Loreto', 'Maynas', 'Iquitos'],
  ['Loreto', 'Alto Amazonas', 'Yurimaguas'],
  ['Madre de Dios', 'Tambopata', 'Tambopata'],
  ['Moquegua', 'Mariscal Nieto', 'Moquegua'],
  ['Moquegua', 'Ilo', 'Ilo'],
  ['Pasco', 'Oxapampa', 'Oxapampa'],
  ['Piura', 'Piura', 'Piura'],
  ['Piura', 'Sullana', 'Sullana'],
  ['Puno', 'Puno', 'Puno'],
  ['Puno', 'San Román', 'Juliaca'],
  ['San Martín', 'San Martín', 'Tarapoto'],
  ['San Martín', 'Moyobamba', 'Moyobamba'],
  ['Tacna', 'Tacna', 'Tacna'],
  ['Tumbes', 'Tumbes', 'Tumbes'],
  ['Ucayali', 'Coronel Portillo', 'Callería'],
]

const streets = [
  'Avenida Alameda Serena',
  'Jirón Brisa Clara',
  'Calle Faro Quieto',
  'Avenida Puente Dorado',
  'Jirón Tres Molinos',
  'Calle Nube Alta',
  'Avenida Campo Lindo',
] as const

/**
 * Cities with two full agencies and a kiosk with a single capability. Apart from "Kiosco", the
 * kiosk's words are a subset of the full agencies', and no other word here begins with a K. So a
 * search matches either only kiosks, or both full agencies of a city before its kiosk.
 */
const cities: readonly { readonly locality: Locality; readonly kiosk: 'drop_off' | 'pickup' }[] = [
  { locality: ['Lima', 'Lima', 'Lima'], kiosk: 'drop_off' },
  { locality: ['Arequipa', 'Arequipa', 'Arequipa'], kiosk: 'pickup' },
  { locality: ['La Libertad', 'Trujillo', 'Trujillo'], kiosk: 'drop_off' },
]

/** It has the name and district of an agency in Lima, as happens with real couriers. */
const namesake: Locality = ['Arequipa', 'Arequipa', 'Miraflores']

type Agency = Pick<NativeAgency, 'name' | 'address' | 'capabilities'> & {
  readonly locality: Locality
}

const both = ['drop_off', 'pickup'] as const

const inCities: readonly Agency[] = cities.flatMap(({ locality, kiosk }) => {
  const city = locality[2]
  const street = 'Avenida Alameda Serena'
  return [
    { name: `Agencia ${city} Norte`, address: `${street} 118`, locality, capabilities: both },
    { name: `Agencia ${city} Sur`, address: `${street} 940`, locality, capabilities: both },
    { name: `Kiosco ${city}`, address: street, locality, capabilities: [kiosk] },
  ]
})

const elsewhere: readonly Agency[] = [...localities, namesake].map((locality, index) => {
  const street = streets[index % streets.length]
  const address = `${street} ${101 + index * 7}`
  return { name: `Agencia ${locality[2]}`, address, locality, capabilities: both }
})

/**
 * Every agency of the simulated courier. All except the three kiosks accept and hand out parcels.
 */
export const simulatedAgencies: readonly NativeAgency[] = [...inCities, ...elsewhere].map(
  ({ name, address, locality: [department, province, district], capabilities }, index) => ({
    code: `A${String(index + 1).padStart(3, '0')}`,
    name,
    address,
    department,
    province,
    district,
    capabilities,
  }),
)

export const simulatedAgencyByCode: ReadonlyMap<string, NativeAgency> = new Map(
  simulatedAgencies.map((agency) => [agency.code, agency]),
)
