import { withoutMarks, wordsOf } from '../../../couriers/agency-index.ts'

/**
 * How people in Peru head their columns, beside the API's names and in the form of `plainName`. A
 * weight or size is among them only with its unit: `peso` may be in grams.
 */
export const otherNames: Readonly<Record<string, readonly string[]>> = {
  idempotency_key: ['clave_idempotencia'],
  external_reference: ['reference', 'order', 'order_id', 'pedido', 'orden', 'referencia'],
  workspace_id: ['id_tienda'],
  courier_connection_id: ['id_conexion'],
  origin_agency_id: ['id_agencia_origen', 'id_origen'],
  origin_agency: ['origin', 'origen', 'agencia_origen'],
  destination_agency_id: ['id_agencia_destino', 'id_destino'],
  destination_agency: ['destination', 'destino', 'agencia_destino'],
  product_id: ['package_product_id', 'id_producto'],
  product: ['package_product', 'producto', 'tipo_paquete'],
  quantity: ['pieces', 'cantidad', 'bultos'],
  weight_kg: ['peso_kg'],
  height_m: ['alto_m', 'altura_m'],
  length_m: ['largo_m'],
  width_m: ['ancho_m'],
  service_mode: ['mode', 'service', 'servicio', 'modo'],
  payer: ['service_payer', 'paid_by', 'pagador', 'pago', 'quien_paga'],
  declared_content: ['content', 'contents', 'contenido', 'contenido_declarado'],
  document_type: ['tipo_documento', 'tipo_doc', 'doc_type'],
  document: ['dni', 'documento', 'doc'],
  first_name: ['first_names', 'given_name', 'nombre', 'nombres'],
  last_name: ['last_names', 'surname', 'family_name', 'apellido', 'apellidos'],
  quote_id: ['id_cotizacion'],
}

/** By column and choice. */
export const otherWords: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  service_mode: { terrestrial: ['terrestre'], air: ['aéreo'] },
  payer: { sender: ['remitente'], recipient: ['destinatario'] },
  document_type: {
    CE: ['carné de extranjería', 'carnet de extranjería'],
    PASSPORT: ['pasaporte'],
  },
}

/** `N° de pedido` is `pedido`, and `Agencia de origen` is `agencia_origen`. */
export function plainName(name: string): string {
  return withoutMarks(name)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .replace(/_(?:de|del|la|el)(?=_)/g, '')
    .replace(/^(?:n|no|nro|num|numero|number|codigo)_(?=.)/, '')
    .replace(/_(?:number|numero|nro)$/, '')
}

/** Two cells are one word if these are equal: `D.N.I.` is `DNI`, and `aereo` is `Aéreo`. */
export function lettersOf(text: string): string {
  return wordsOf(text).join('')
}
