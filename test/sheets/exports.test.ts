import t from 'tap'
import { SheetCheck } from '../../src/service/http/rules/sheets/sheet-check.ts'
import { batchSheet } from '../../src/service/sheets/batch-columns.ts'
import type { ColumnChoices } from '../../src/service/sheets/csv-header.ts'
import { invoiceSheet } from '../../src/service/sheets/invoice-columns.ts'
import { readSheet, type SheetLine } from '../../src/service/sheets/read-sheet.ts'

const id = '0aB1cD2eF3gH4iJ5kL6mN7'
const place = { workspace_id: `ws_${id}`, courier_connection_id: `ccn_${id}` }

/** What a check of the file says, except for what only the courier knows. */
function checked(
  kind: 'batch' | 'invoice',
  body: Buffer,
  { columns = {}, values = {} }: Partial<ColumnChoices> = {},
) {
  const lines: SheetLine<object>[] = []
  const format = { type: 'csv', charset: null, columns, values } as const
  const forAll = kind === 'batch' ? place : {}
  const request = { kind, format, forAll, errorsMax: 0, isCheck: true }
  const { header } = readSheet(body, request, (line) => lines.push(line))
  const check = new SheetCheck(kind === 'batch' ? batchSheet : invoiceSheet, header)
  for (const line of lines)
    check.addLine(line, line.body ?? line.understood ?? null, line.errors ?? [])
  return check.result()
}

type Export = {
  readonly kind: 'batch' | 'invoice'
  readonly bytes: Buffer
  /** What a person would choose in the console. */
  readonly choices?: Partial<ColumnChoices>
  /** The column and unit of each header that is read. */
  readonly columns: Readonly<Record<string, string | readonly [string, string]>>
  readonly good: number
  /** The line, header and reason of each error. */
  readonly errors: readonly (readonly [number, string | null, string])[]
  /** The first line, as understood. */
  readonly first: object
}

const sizes = { height_m: '0.1', length_m: '0.2', width_m: '0.2' }
const shop = {
  origin_agency: 'Lima Norte',
  product: 'Box S',
  quantity: '1',
  weight_g: '800',
  ...sizes,
  service_mode: 'terrestrial',
  payer: 'sender',
  declared_content: 'Ropa',
  document_type: 'DNI',
}

/** Sheets as people really export them, and what comes of them. */
const exports: Readonly<Record<string, Export>> = {
  'Shopify, orders': {
    kind: 'batch',
    bytes: Buffer.from(
      `Name,Email,Financial Status,Paid at,Fulfillment Status,Currency,Subtotal,Shipping,Total,Lineitem quantity,Lineitem name,Lineitem price,Shipping Name,Shipping Street,Shipping City,Shipping Zip,Shipping Province,Shipping Country,Shipping Phone,Notes,Note Attributes,Tags\n` +
        `#1001,ana@example.com,paid,2026-03-01 10:12:13 -0500,unfulfilled,PEN,59.90,10.00,69.90,1,"Polo ""Sol"" - M",59.90,Ana Torres,"Av. Sol 1, dpto. 2",Cusco,'08000,PE-CUS,PE,'+51 999 999 999,,"dni: 45678912\nagencia: Cusco",web\n` +
        `#1002,jose@example.com,paid,2026-03-01 11:12:13 -0500,unfulfilled,PEN,20.00,10.00,30.00,2,Gorra,10.00,José Peña,Calle Luna 3,Arequipa,'04000,PE-ARE,PE,,,"dni: 4567891\nagencia: Arequipa",\n`,
    ),
    choices: {
      columns: {
        Name: 'external_reference',
        'Lineitem name': 'declared_content',
        'Shipping City': 'destination_agency',
        'Shipping Name': 'first_name',
        Tags: 'metadata.tags',
        '*': null,
      },
      values: { ...shop, last_name: 'Torres', document: '45678912' },
    },
    columns: {
      Name: 'external_reference',
      'Lineitem name': 'declared_content',
      'Shipping Name': 'first_name',
      'Shipping City': 'destination_agency',
      Tags: 'metadata.tags',
    },
    good: 2,
    errors: [],
    first: {
      external_reference: '#1001',
      declared_content: 'Polo "Sol" - M',
      package: { weight_kg: 0.8, height_m: 0.1 },
      metadata: { tags: 'web' },
    },
  },
  'WooCommerce, an export of orders with a byte-order mark and everything in quotes': {
    kind: 'batch',
    bytes: Buffer.from(
      `\ufeff"Order Number","Order Status","Order Date","First Name (Shipping)","Last Name (Shipping)","City (Shipping)","Quantity","DNI","Item Weight (kg)"\r\n` +
        `"5001","processing","2026-03-01 10:00","Ana","Torres","Cusco","1","45678912","0.8"\r\n` +
        `"5002","processing","2026-03-01 10:01","José","Ñáñez","Arequipa","1","4567891","0,85"\r\n`,
    ),
    choices: {
      columns: {
        'First Name (Shipping)': 'first_name',
        'Last Name (Shipping)': 'last_name',
        'City (Shipping)': 'destination_agency',
        'Item Weight (kg)': 'weight_kg',
        '*': null,
      },
      values: { ...shop },
    },
    columns: {
      'Order Number': 'external_reference',
      'First Name (Shipping)': 'first_name',
      'Last Name (Shipping)': 'last_name',
      'City (Shipping)': 'destination_agency',
      Quantity: 'quantity',
      DNI: 'document',
      'Item Weight (kg)': ['weight_kg', 'kg'],
    },
    good: 1,
    errors: [[3, 'DNI', 'invalid_document']],
    first: { external_reference: '5001', package: { weight_kg: 0.8 } },
  },
  'Magento, the grid of orders': {
    kind: 'batch',
    bytes: Buffer.from(
      `"ID","Purchase Point","Purchase Date","Bill-to Name","Ship-to Name","Grand Total (Base)","Status","Shipping Information"\n` +
        `"000000101","Main Website\nMain Website Store\n   Default Store View","Mar 1, 2026, 10:12:13 AM","Ana Torres","Ana Torres","69.9000","processing","Flat Rate - Fixed"\n`,
    ),
    choices: {
      columns: { ID: 'external_reference', 'Ship-to Name': 'first_name', '*': null },
      values: { ...shop, destination_agency: 'Cusco', last_name: 'Torres', document: '45678912' },
    },
    columns: { ID: 'external_reference', 'Ship-to Name': 'first_name' },
    good: 1,
    errors: [],
    first: { external_reference: '000000101', recipient: { first_name: 'Ana Torres' } },
  },
  'Excel in Spanish, with semicolons and decimal commas in Windows-1252': {
    kind: 'batch',
    bytes: Buffer.from(
      `N° de pedido;Origen;Destino;Producto;Bultos;Peso (g);Alto (cm);Largo (cm);Ancho (cm);Servicio;¿Quién paga?;Contenido;Tipo de documento;DNI;Nombres;Apellidos;;\r\n` +
        `P-1;Lima Norte;Cusco;Box S;1;850;5;20,5;15;Terrestre;Remitente;Año nuevo;DNI;45678912;María;Peña;;\r\n` +
        `P-2;Lima Norte;Cusco;Box S;1;1.200;5;20,5;15;Aéreo;Destinatario;Ropa;DNI;4,5679E+07;José;Ñáñez;;\r\n` +
        `;;;;;;;;;;;;;;;;;\r\n`,
      'latin1',
    ),
    columns: {
      'N° de pedido': 'external_reference',
      Origen: 'origin_agency',
      Destino: 'destination_agency',
      Producto: 'product',
      Bultos: 'quantity',
      'Peso (g)': ['weight_kg', 'g'],
      'Alto (cm)': ['height_m', 'cm'],
      'Largo (cm)': ['length_m', 'cm'],
      'Ancho (cm)': ['width_m', 'cm'],
      Servicio: 'service_mode',
      '¿Quién paga?': 'payer',
      Contenido: 'declared_content',
      'Tipo de documento': 'document_type',
      DNI: 'document',
      Nombres: 'first_name',
      Apellidos: 'last_name',
    },
    good: 1,
    errors: [
      [3, 'DNI', 'spreadsheet_error'],
      [3, 'Peso (g)', 'mixed_decimals'],
    ],
    first: {
      declared_content: 'Año nuevo',
      package: { weight_kg: 0.85, height_m: 0.05, length_m: 0.205, width_m: 0.15 },
      service: { mode: 'terrestrial', payer: 'sender' },
      recipient: { first_name: 'María', last_name: 'Peña' },
    },
  },
  'Google Sheets in Spanish, with decimal commas in quotes and a formula that failed': {
    kind: 'batch',
    bytes: Buffer.from(
      `Pedido,Origen,Destino,Producto,Cantidad,Peso (kg),Alto (m),Largo (m),Ancho (m),Servicio,Pagador,Contenido,Tipo doc.,Nro. documento,Nombre,Apellido\r\n` +
        `8001,Lima Norte,Cusco,Box S,1,"0,8","0,05","0,2","0,15",terrestre,remitente,Libros,DNI,45678912,Ana,Torres\r\n` +
        `8002,Lima Norte,#N/A,Box S,1,"1,234","0,05","0,2","0,15",terrestre,remitente,Libros,DNI,45678912,Ana,#REF!`,
    ),
    columns: {
      Pedido: 'external_reference',
      Origen: 'origin_agency',
      Destino: 'destination_agency',
      Producto: 'product',
      Cantidad: 'quantity',
      'Peso (kg)': ['weight_kg', 'kg'],
      'Alto (m)': ['height_m', 'm'],
      'Largo (m)': ['length_m', 'm'],
      'Ancho (m)': ['width_m', 'm'],
      Servicio: 'service_mode',
      Pagador: 'payer',
      Contenido: 'declared_content',
      'Tipo doc.': 'document_type',
      'Nro. documento': 'document',
      Nombre: 'first_name',
      Apellido: 'last_name',
    },
    good: 1,
    errors: [
      [3, 'Destino', 'spreadsheet_error'],
      [3, 'Peso (kg)', 'thousands_separator'],
      [3, 'Apellido', 'spreadsheet_error'],
    ],
    first: { external_reference: '8001', package: { weight_kg: 0.8, width_m: 0.15 } },
  },
  'LibreOffice, tabs in UTF-16': {
    kind: 'batch',
    bytes: Buffer.from(
      `\ufeffexternal_reference\torigin_agency\tdestination_agency\tproduct\tquantity\tweight_kg\theight_m\tlength_m\twidth_m\tservice_mode\tpayer\tdeclared_content\tdocument_type\tdocument\tfirst_name\tlast_name\n` +
        `L-1\tLima Norte\tCusco\tBox S\t1\t0,8\t0,05\t0,2\t0,15\tterrestrial\tsender\t"dos\nlíneas"\tDNI\t45678912\tAna\tTorres\n`,
      'utf16le',
    ),
    columns: Object.fromEntries(
      [
        ...['external_reference', 'origin_agency', 'destination_agency', 'product', 'quantity'],
        ...['service_mode', 'payer', 'declared_content', 'document_type', 'document'],
        ...['first_name', 'last_name'],
      ]
        .map((name): [string, string | readonly [string, string]] => [name, name])
        .concat([
          ['weight_kg', ['weight_kg', 'kg']],
          ['height_m', ['height_m', 'm']],
          ['length_m', ['length_m', 'm']],
          ['width_m', ['width_m', 'm']],
        ]),
    ),
    good: 0,
    errors: [[2, 'declared_content', 'control_character']],
    first: { external_reference: 'L-1', declared_content: 'dos\nlíneas' },
  },
  'pandas, with its index and numbers that became floats': {
    kind: 'batch',
    bytes: Buffer.from(
      `,pedido,destino,peso_g,dni,nombres,apellidos,urgente\n` +
        `0,8001.0,Cusco,800.0,45678912.0,Ana,Torres,True\n` +
        `1,8002.0,Cusco,,45678912,José,Peña,\n`,
    ),
    choices: { columns: { '*': null }, values: { ...shop, weight_g: '750' } },
    columns: {
      pedido: 'external_reference',
      destino: 'destination_agency',
      peso_g: ['weight_kg', 'g'],
      dni: 'document',
      nombres: 'first_name',
      apellidos: 'last_name',
    },
    good: 1,
    errors: [[2, 'dni', 'invalid_document']],
    first: { external_reference: '8001.0', package: { weight_kg: 0.8 } },
  },
  "A courier's invoice from Excel in Spanish": {
    kind: 'invoice',
    bytes: Buffer.from(
      `N° de guía;Fecha;Peso (g);Importe (S/)\r\n` +
        `100000000001;2026-03-01;800;29,50\r\n` +
        `100000000002;2026-03-01;800;1.234,50\r\n` +
        `100000000003;01/03/2026;800;S/ 9,90\r\n` +
        `Total;;;1.273,90\r\n`,
      'latin1',
    ),
    columns: {
      'N° de guía': 'guide_number',
      Fecha: 'date',
      'Peso (g)': ['weight_kg', 'g'],
      'Importe (S/)': ['amount', 'PEN'],
    },
    good: 4,
    errors: [],
    first: { guide_number: '100000000001', amount: 2_950, currency: 'PEN', weight_kg: 0.8 },
  },
  "A courier's invoice from its own system, in minor units": {
    kind: 'invoice',
    bytes: Buffer.from(
      `guide_number,amount_minor,currency,weight_kg\n1,1450,PEN,0.8\n2,14.50,PEN,\n`,
    ),
    columns: {
      guide_number: 'guide_number',
      amount_minor: ['amount', 'minor'],
      currency: 'currency',
      weight_kg: ['weight_kg', 'kg'],
    },
    good: 1,
    errors: [[3, 'amount_minor', 'invalid_type']],
    first: { amount: 1_450 },
  },
}

for (const [name, { kind, bytes, choices, columns, good, errors, first }] of Object.entries(
  exports,
)) {
  t.test(`a sheet as people export it: ${name}`, async (t) => {
    const check = checked(kind, bytes, choices)
    const read = check.columns.filter(({ field }) => field !== null)
    const expected = Object.entries(columns).map(([header, column]) => {
      const [field, unit] = typeof column === 'string' ? [column, null] : column
      return { header, field, unit }
    })
    const byHeader = (a: { header: string }, b: { header: string }) =>
      a.header < b.header ? -1 : 1
    t.strictSame(read.toSorted(byHeader), expected.toSorted(byHeader))
    t.strictSame(
      check.errors.map(({ line, column, reason }) => [line, column, reason]),
      errors,
    )
    t.equal(check.good, good)
    t.match(check.sample[0]?.fields, first)
  })
}
