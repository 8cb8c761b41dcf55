import { createHash } from 'node:crypto'
import { findingTexts } from '../../domain/invoices/finding.ts'
import { Problem } from '../../errors.ts'
import type { BundleInParts } from '../../ledger/evidence/evidence-bundles.ts'
import { type PackedFile, pack, packedBytes, zipOf } from '../../ledger/evidence/write-zip.ts'
import type { ReadInvoice } from '../../processes/invoices/invoice-to-api.ts'
import type { ApiServices } from '../api-services.ts'
import { type ChosenLines, divided } from './choose-lines.ts'
import { invoiceClaim } from './invoice-claim.ts'
import type { ApiInvoiceLine } from './invoice-lines-to-api.ts'
import { lineCsv, lineCsvHeader } from './line-csv.ts'

/** Clients read at most 32 MiB. */
const bytesMax = 30 * 1024 * 1024
/** The server closes a connection on which it has sent nothing for a minute. */
const makingMs = 45_000
const retryAfterSeconds = 30

type Requested = Parameters<ApiServices['evidence']['makeEach']>[0]

type InvoiceEvidence = {
  readonly bytes: Buffer
  /** The digest of the ZIP file, in hexadecimal. */
  readonly sha256: string
  readonly bundles: readonly BundleInParts[]
}

/** One ZIP file with the claim, the lines and a folder for each of their shipments, which has its bundle. */
export async function invoiceEvidence(
  deps: Parameters<typeof invoiceClaim>[0],
  claim: Parameters<typeof invoiceClaim>[1],
  requested: Requested,
): Promise<InvoiceEvidence> {
  const { invoice, chosen } = claim
  const files: PackedFile[] = []
  const bundles: BundleInParts[] = []
  const madeBy = performance.now() + makingMs
  let bytes = 0
  for await (const bundle of bundlesOf(deps.evidence, requested, chosen.shipmentIds)) {
    const placed = bundle.files.map((file) => ({
      ...file,
      name: `${bundle.shipmentId}/${file.name}`,
    }))
    bytes += placed.reduce((sum, file) => sum + packedBytes(file), 0)
    if (bytes > bytesMax) throw tooLarge(chosen, bundle.shipmentId)
    if (performance.now() > madeBy) throw tooSlow()
    files.push(...placed)
    bundles.push(bundle)
  }
  const lines = requested.includePersonal ? chosen.lines : chosen.lines.map(withoutPersonal)
  const csv = lineCsvHeader + lineCsv(lines)
  const claimPdf = await invoiceClaim(deps, claim)
  const about = { hasPersonal: requested.includePersonal, hasClaim: claimPdf !== null }
  const first = await Promise.all(
    [
      ...(claimPdf === null ? [] : [{ name: 'claim.pdf', content: claimPdf }]),
      { name: 'README.md', content: Buffer.from(readme(invoice, chosen, about)) },
      { name: 'lines.csv', content: Buffer.from(csv) },
    ].map(pack),
  )
  const zip = zipOf([...first, ...files])
  return { bytes: zip, sha256: createHash('sha256').update(zip).digest('hex'), bundles }
}

/** As in a bundle without personal data: no texts of the courier, no notes, and operators by id. */
function withoutPersonal({ decision, ...line }: ApiInvoiceLine): ApiInvoiceLine {
  return {
    ...line,
    client_reference: null,
    decision:
      decision === null ? null : { ...decision, note: null, decided_by: decision.operator_id },
  }
}

function tooLarge({ lines }: ChosenLines, shipmentId: string): Problem {
  const line = lines.find(({ shipment_id: id }) => id === shipmentId)?.line ?? 1
  return divided(`The bundles take more than ${bytesMax / 1024 / 1024} MiB.`, line)
}

function tooSlow(): Problem {
  const detail = 'The bundles could not be made in time. Choose fewer lines, or ask again later.'
  return new Problem('overloaded', { detail, retryAfterSeconds })
}

/** The bundles; an error names the shipment that is too large. */
async function* bundlesOf(
  evidence: ApiServices['evidence'],
  requested: Requested,
  shipmentIds: readonly string[],
): AsyncGenerator<BundleInParts> {
  let made = 0
  try {
    for await (const bundle of evidence.makeEach(requested, shipmentIds)) {
      yield bundle
      made += 1
    }
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'evidence_too_large') throw error
    throw new Problem(error.reason, { detail: `${shipmentIds[made]}: ${error.message}` })
  }
}

function readme(
  invoice: ReadInvoice,
  { version, lines, shipmentIds }: ChosenLines,
  { hasPersonal, hasClaim }: { readonly hasPersonal: boolean; readonly hasClaim: boolean },
): string {
  const byShipment = Map.groupBy(lines, (line) => line.shipment_id)
  const without = byShipment.get(null) ?? []
  return `# Evidence about a courier's invoice

${lines.length} lines of version ${version} of the invoice ${code(invoice.reference)} (${invoice.id}), about
${shipmentIds.length} shipments. Made at ${new Date().toISOString()}.

| what | what it is |
|---|---|
${claimRow(hasClaim)}
| \`lines.csv\` | These lines: what the courier bills, what was found, what was expected, what was decided. Amounts are in minor units: 1450 is 14.50. A cell that a spreadsheet would run as a formula begins with an apostrophe. |
| \`shp_…\` | A folder for each shipment, with the bundle of evidence about it. Begin with \`report.pdf\`; \`README.md\` beside it says what the rest is. |

${hasPersonal ? 'This file holds personal data and notes. Give it only to those who may see them.' : "This file holds no personal data, no note and no text of the courier; `client_reference` and `note` are empty in `lines.csv`, and `decided_by` is an operator's id. Guide numbers and the invoice's reference are the courier's."}

## Check it

Each bundle is checked by itself, with \`node verify.mjs\` in its folder. ${hasClaim ? '`claim.pdf`, ' : ''}\`lines.csv\` and this page are not
signed: they say where to look.

## Shipments

${list(shipmentIds.map((id) => `\`${id}\`: ${linesText(byShipment.get(id) ?? [])}`))}

## Lines without a shipment

${list(without.map((line) => `${linesText([line])}: ${line.finding === null ? 'it was not compared.' : findingTexts[line.finding]}`))}
`
}

function claimRow(hasClaim: boolean): string {
  return hasClaim
    ? '| `claim.pdf` | For the courier: the disputed lines, what is claimed for each, and why. It names no person. |'
    : '| no `claim.pdf` | None of these lines is disputed. |'
}

function linesText(lines: readonly ApiInvoiceLine[]): string {
  return lines
    .map(({ line, guide_number: guide }) => `line ${line}, guide ${code(guide)}`)
    .join('; ')
}

function list(items: readonly string[]): string {
  return items.length === 0 ? 'None.' : items.map((item) => `- ${item}`).join('\n')
}

/** Escapes untrusted text for Markdown. */
function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``
}
