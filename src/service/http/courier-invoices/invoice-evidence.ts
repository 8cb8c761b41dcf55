import { createHash } from 'node:crypto'
import { Problem } from '../../errors.ts'
import type { BundleInParts } from '../../ledger/evidence/evidence-bundles.ts'
import { type PackedFile, pack, packedBytes, zipOf } from '../../ledger/evidence/write-zip.ts'
import type { ApiServices } from '../api-services.ts'
import { type ChosenLines, divided } from './choose-lines.ts'
import { invoiceClaim } from './invoice-claim.ts'
import type { ApiInvoiceLine } from './invoice-lines-to-api.ts'
import { invoiceReadme } from './invoice-readme.ts'
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
  const readme = invoiceReadme({
    invoice,
    chosen,
    hasPersonal: requested.includePersonal,
    hasClaim: claimPdf !== null,
    language: claim.language,
  })
  const first = await Promise.all(
    [
      ...(claimPdf === null ? [] : [{ name: 'claim.pdf', content: claimPdf }]),
      { name: 'README.md', content: Buffer.from(readme) },
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
