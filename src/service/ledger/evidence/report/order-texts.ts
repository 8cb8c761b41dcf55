import type { Language } from '../../../domain/language.ts'
import type { ShipmentPayload } from '../../../domain/shipment/shipment-payload.ts'

type Service = ShipmentPayload['service']

/** The texts of a report about the order, its result and its personal data. */
type OrderTexts = {
  readonly title: string
  readonly mode: Readonly<Record<'live' | 'test', string>>
  readonly footer: (shipmentId: string, madeAt: string) => string
  readonly summary: string
  readonly inTheEnd: (status: string) => string
  readonly results: Readonly<Record<'guide' | 'price' | 'history' | 'check', string>>
  readonly noGuide: string
  readonly noPrice: string
  readonly nothingWrong: string
  readonly problems: string
  readonly order: string
  readonly facts: Readonly<Record<FactName, string>>
  readonly shop: (organizationId: string, workspaceId: string) => string
  readonly courier: (code: string, connectionId: string) => string
  readonly agency: (id: string) => string
  readonly parcel: (of: Parcel) => string
  readonly service: (mode: string, payer: string) => string
  readonly personal: PersonalTexts
}

type FactName =
  | 'shop'
  | 'courier'
  | 'courierReference'
  | 'externalReference'
  | 'idempotencyKey'
  | 'from'
  | 'to'
  | 'parcel'
  | 'service'
  | 'declaredValue'
  | 'cashOnDelivery'
  | 'quote'
  | 'ordered'

type Parcel = {
  readonly quantity: number
  readonly kilograms: string
  /** Length, width and height. */
  readonly meters: string
  readonly productId: string
}

type PersonalTexts = {
  readonly title: string
  readonly without: string
  readonly erased: string
  readonly missing: string
  readonly more: string
  readonly recipient: string
  readonly document: string
  readonly phone: string
  readonly email: string
  readonly declaredContent: string
  readonly metadata: (name: string) => string
  readonly pickupCode: string
}

const english: OrderTexts = {
  title: 'Evidence about a shipment',
  mode: {
    live: 'live mode',
    test: 'test mode: a simulated courier and a clock of its own',
  },
  footer: (shipmentId, madeAt) => `Shipment ${shipmentId} · made ${madeAt}`,
  summary: 'Summary',
  inTheEnd: (status) => `At the end of this history: ${status}.`,
  results: { guide: 'Guide', price: 'Price', history: 'History', check: 'Check' },
  noGuide: 'none',
  noPrice: 'not reported',
  nothingWrong: 'Nothing is wrong with the history in this bundle.',
  problems: 'PROBLEMS were found. See “The check”.',
  order: 'The order',
  facts: {
    shop: 'Shop',
    courier: 'Courier',
    courierReference: 'Reference at the courier',
    externalReference: 'External reference',
    idempotencyKey: 'Idempotency key',
    from: 'From',
    to: 'To',
    parcel: 'Parcel',
    service: 'Service',
    declaredValue: 'Declared value',
    cashOnDelivery: 'Cash on delivery',
    quote: 'Quote',
    ordered: 'Ordered',
  },
  shop: (organizationId, workspaceId) => `organization ${organizationId}, workspace ${workspaceId}`,
  courier: (code, connectionId) => `${code}, account ${connectionId}`,
  agency: (id) => `agency ${id}`,
  parcel: ({ quantity, kilograms, meters, productId }) =>
    `${quantity} × ${kilograms} kg, ${meters} m, product ${productId}`,
  service: (mode, payer) => `${mode}, paid by the ${payer}`,
  personal: {
    title: 'Personal data',
    without:
      'This bundle was made without personal data: it does not contain the recipient, the content of the parcel, notes, or texts of the courier. The events commit to all of them.',
    erased:
      'The personal data of this shipment was erased from the vault. The recipient and the content of the parcel cannot be restored. The history is complete without it.',
    missing:
      'PROBLEM: the personal data of this shipment is missing from the vault, and no erasure explains it. The history is complete without it.',
    more: 'personal.json in the bundle has all of it, with the bodies of every request to the courier.',
    recipient: 'Recipient',
    document: 'Document',
    phone: 'Phone',
    email: 'E-mail',
    declaredContent: 'Declared content',
    metadata: (name) => `Metadata: ${name}`,
    pickupCode: 'Pickup code',
  },
}

/** An event may have a code that no request may have any more. */
const spanishModes: Readonly<Record<string, string>> = {
  terrestrial: 'terrestre',
  air: 'aéreo',
} satisfies Record<Service['mode'], string>
const spanishPayers: Readonly<Record<string, string>> = {
  sender: 'el remitente',
  recipient: 'el destinatario',
} satisfies Record<Service['payer'], string>

const spanish: OrderTexts = {
  title: 'Evidencia sobre un envío',
  mode: {
    live: 'modo real',
    test: 'modo de prueba: un courier simulado y un reloj propio',
  },
  footer: (shipmentId, madeAt) => `Envío ${shipmentId} · hecho el ${madeAt}`,
  summary: 'Resumen',
  inTheEnd: (status) => `Al final de esta historia: ${status}.`,
  results: { guide: 'Guía', price: 'Precio', history: 'Historia', check: 'Comprobación' },
  noGuide: 'ninguna',
  noPrice: 'no informado',
  nothingWrong: 'La historia de este expediente está en orden.',
  problems: 'Se encontraron PROBLEMAS. Vea “La comprobación”.',
  order: 'El pedido',
  facts: {
    shop: 'Tienda',
    courier: 'Empresa de courier',
    courierReference: 'Referencia en el courier',
    externalReference: 'Referencia externa',
    idempotencyKey: 'Clave de idempotencia',
    from: 'De',
    to: 'A',
    parcel: 'Paquete',
    service: 'Servicio',
    declaredValue: 'Valor declarado',
    cashOnDelivery: 'Pago contra entrega',
    quote: 'Cotización',
    ordered: 'Pedido el',
  },
  shop: (organizationId, workspaceId) =>
    `organización ${organizationId}, espacio de trabajo ${workspaceId}`,
  courier: (code, connectionId) => `${code}, cuenta ${connectionId}`,
  agency: (id) => `agencia ${id}`,
  parcel: ({ quantity, kilograms, meters, productId }) =>
    `${quantity} × ${kilograms} kg, ${meters} m, producto ${productId}`,
  service: (mode, payer) => `${spanishModes[mode] ?? mode}, paga ${spanishPayers[payer] ?? payer}`,
  personal: {
    title: 'Datos personales',
    without:
      'Este expediente se hizo sin datos personales: no contiene al destinatario, ni el contenido del paquete, ni notas, ni textos del courier. Los eventos fijan todos ellos.',
    erased:
      'Los datos personales de este envío se borraron de la bóveda. El destinatario y el contenido del paquete no se pueden recuperar. La historia está completa sin ellos.',
    missing:
      'PROBLEMA: los datos personales de este envío faltan en la bóveda, y ningún borrado lo explica. La historia está completa sin ellos.',
    more: 'personal.json, en el expediente, los tiene todos, con los cuerpos de cada solicitud al courier.',
    recipient: 'Destinatario',
    document: 'Documento',
    phone: 'Teléfono',
    email: 'Correo electrónico',
    declaredContent: 'Contenido declarado',
    metadata: (name) => `Metadatos: ${name}`,
    pickupCode: 'Código de recojo',
  },
}

export const orderTexts: Readonly<Record<Language, OrderTexts>> = { en: english, es: spanish }
