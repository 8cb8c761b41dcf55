import { type Finding, findingTexts } from '../../domain/invoices/finding.ts'
import { counted, type Language } from '../../domain/language.ts'
import type { ReadInvoice } from '../../processes/invoices/invoice-to-api.ts'
import type { ChosenLines } from './choose-lines.ts'
import type { ApiInvoiceLine } from './invoice-lines-to-api.ts'

type About = {
  readonly invoice: Pick<ReadInvoice, 'id' | 'reference'>
  readonly chosen: ChosenLines
  readonly hasPersonal: boolean
  readonly hasClaim: boolean
  readonly language: Language
}

type ReadmeTexts = {
  readonly page: (of: Filled) => string
  readonly none: string
  readonly line: (line: number, guide: string) => string
  readonly notCompared: string
  readonly findings: Readonly<Record<Finding, string>>
}

/** The values of the page. Markdown in them is ours. */
type Filled = {
  readonly id: string
  readonly reference: string
  readonly version: number
  readonly lines: number
  readonly shipments: number
  readonly madeAt: string
  readonly hasPersonal: boolean
  readonly hasClaim: boolean
  readonly byShipment: string
  readonly withoutShipment: string
}

/** The README of a file of evidence about an invoice. File names and columns stay in English. */
export const invoiceReadmeTexts: Readonly<Record<Language, ReadmeTexts>> = {
  en: {
    page: (of) => `# Evidence about a courier's invoice

${counted(of.lines, 'line', 'lines')} of version ${of.version} of the invoice ${of.reference} (${of.id}), about
${counted(of.shipments, 'shipment', 'shipments')}. Made at ${of.madeAt}.

| what | what it is |
|---|---|
${
  of.hasClaim
    ? '| `claim.pdf` | For the courier: the disputed lines, what is claimed for each, and why. It names no person. |'
    : '| no `claim.pdf` | None of these lines is disputed. |'
}
| \`lines.csv\` | These lines: what the courier bills, what was found, what was expected, what was decided. Amounts are in minor units: 1450 is 14.50. A cell that a spreadsheet would run as a formula begins with an apostrophe. |
| \`shp_…\` | A folder for each shipment, with the bundle of evidence about it. Begin with \`report.pdf\`; \`README.md\` beside it says what the rest is. |

${
  of.hasPersonal
    ? 'This file holds personal data and notes. Give it only to those who may see them.'
    : "This file holds no personal data, no note and no text of the courier; `client_reference` and `note` are empty in `lines.csv`, and `decided_by` is an operator's id. Guide numbers and the invoice's reference are the courier's."
}

## Check it

Each bundle is checked by itself, with \`node verify.mjs\` in its folder. ${of.hasClaim ? '`claim.pdf`, ' : ''}\`lines.csv\` and this page are not
signed: they say where to look.

## Shipments

${of.byShipment}

## Lines without a shipment

${of.withoutShipment}
`,
    none: 'None.',
    line: (line, guide) => `line ${line}, guide ${guide}`,
    notCompared: 'it was not compared.',
    findings: findingTexts,
  },
  es: {
    page: (of) => `# Evidencia sobre una factura del courier

${counted(of.lines, 'línea', 'líneas')} de la versión ${of.version} de la factura ${of.reference} (${of.id}), sobre
${counted(of.shipments, 'envío', 'envíos')}. Hecho el ${of.madeAt}.

| qué | qué es |
|---|---|
${
  of.hasClaim
    ? '| `claim.pdf` | Para el courier: las líneas objetadas, cuánto se reclama por cada una y por qué. No nombra a ninguna persona. |'
    : '| sin `claim.pdf` | Ninguna de estas líneas está objetada. |'
}
| \`lines.csv\` | Estas líneas: qué factura el courier, qué se encontró, qué se esperaba y qué se decidió. Los nombres de las columnas están en inglés. Los importes están en unidades menores: 1450 es 14.50. Una celda que una hoja de cálculo ejecutaría como fórmula empieza con un apóstrofo. |
| \`shp_…\` | Una carpeta por envío, con su expediente de evidencia. Empiece por \`report.pdf\`; \`README.md\`, a su lado, explica el resto. |

${
  of.hasPersonal
    ? 'Este archivo contiene datos personales y notas. Entréguelo solo a quienes pueden verlos.'
    : 'Este archivo no contiene datos personales, ni notas, ni textos del courier; `client_reference` y `note` están vacíos en `lines.csv`, y `decided_by` es el id de un operador. Los números de guía y la referencia de la factura son del courier.'
}

## Compruébelo

Cada expediente se comprueba por separado, con \`node verify.mjs\` en su carpeta. ${of.hasClaim ? '`claim.pdf`, ' : ''}\`lines.csv\` y esta página
no están firmados: indican dónde mirar.

## Envíos

${of.byShipment}

## Líneas sin envío

${of.withoutShipment}
`,
    none: 'No hay.',
    line: (line, guide) => `línea ${line}, guía ${guide}`,
    notCompared: 'no se comparó.',
    findings: {
      matched: 'La guía se emitió, y la línea coincide con el registro.',
      amount_differs:
        'La guía se emitió por otro importe u otra moneda, o con otro contra entrega.',
      weight_differs: 'El importe es correcto, pero el peso difiere del envío.',
      billed_twice:
        'Líneas anteriores de esta factura o de otra factura de la conexión ya cobran la guía completa.',
      cancelled_guide: 'Se sabe que la guía está anulada.',
      nothing_created:
        'Se concluyó que el intento no creó ninguna guía; se vuelve a preguntar al courier.',
      unknown_guide: 'Ningún envío de la conexión tiene esta guía.',
      unresolved: 'El resultado del envío todavía no es seguro.',
      part_of:
        'Una de varias líneas de su tipo por la guía. La última muestra el resultado de su suma.',
    },
  },
}

export function invoiceReadme({ invoice, chosen, hasPersonal, hasClaim, language }: About): string {
  const texts = invoiceReadmeTexts[language]
  const { version, lines, shipmentIds } = chosen
  const byShipment = Map.groupBy(lines, (line) => line.shipment_id)
  const lineText = ({ line, guide_number: guide }: ApiInvoiceLine) => texts.line(line, code(guide))
  const foundText = ({ finding }: ApiInvoiceLine) =>
    finding === null ? texts.notCompared : texts.findings[finding]
  const list = (items: readonly string[]) =>
    items.length === 0 ? texts.none : items.map((item) => `- ${item}`).join('\n')
  return texts.page({
    id: invoice.id,
    reference: code(invoice.reference),
    version,
    lines: lines.length,
    shipments: shipmentIds.length,
    madeAt: new Date().toISOString(),
    hasPersonal,
    hasClaim,
    byShipment: list(
      shipmentIds.map((id) => `\`${id}\`: ${(byShipment.get(id) ?? []).map(lineText).join('; ')}`),
    ),
    withoutShipment: list(
      (byShipment.get(null) ?? []).map((line) => `${lineText(line)}: ${foundText(line)}`),
    ),
  })
}

/** Escapes untrusted text for Markdown. */
function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``
}
