import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Language } from '../../domain/language.ts'
import type { AuditEvent } from '../../domain/ledger/audit-event.ts'
import { Problem } from '../../errors.ts'
import type { StoredEvent } from '../../event-store/event-store.ts'
import { FairSemaphore } from '../../fair-semaphore.ts'
import { PrintQueue, printedFile } from '../../processes/documents/print-queue.ts'
import type { Report } from '../../processes/documents/report.ts'
import { operatorNames } from '../../security/operators.ts'
import type { Vault } from '../../security/vault/vault.ts'
import { type Checkpoint, checkpointKeys, knownSigner } from '../checkpoints.ts'
import { exportLedger } from '../export.ts'
import { readNote, type Signer, type TreeHead } from '../signed-note.ts'
import { verifyFile } from '../verify-file.ts'
import { checkCosigned } from '../witnesses/check-witnesses.ts'
import { type CoveringDeps, coveringCheckpoint, sealWaitMs } from './covering-checkpoint.ts'
import { ledgerEventsOf, storedEventsIn } from './history.ts'
import { type BundleFile, signedManifest } from './manifest.ts'
import { type Personal, personalFile, personalOf } from './personal.ts'
import { readme } from './readme.ts'
import type { Checked } from './report/check-blocks.ts'
import { reportOf } from './report/make-report.ts'
import type { Times } from './report/times.ts'
import { type PackedFile, pack, zipOf } from './write-zip.ts'

export type EvidenceDeps = CoveringDeps & {
  readonly vault: Pick<Vault, 'disclose'>
  /** Seeds of signing keys. The first one that has signed checkpoints signs the bundle. */
  readonly signingKeys: readonly Buffer[]
}

type Requested = {
  /** The requesting organization. Organizations are served in turn. */
  readonly organizationId: string
  /** Includes the vault's content, unless it was erased. */
  readonly includePersonal: boolean
  readonly times: Times
  /** The language of the report and the README. */
  readonly language: Language
}
type RequestedEvidence = Requested & { readonly shipmentId: string }

type About = {
  readonly events: number
  readonly treeSize: number
  /** Whether it has a personal.json that is not empty. */
  readonly hasPersonal: boolean
  /** The number of vault entries that are missing without an erasure that explains it. */
  readonly missing: number
}

export type EvidenceBundle = About & {
  /** A ZIP file. */
  readonly bytes: Buffer
  /** The digest of the ZIP file, in hexadecimal. */
  readonly sha256: string
}

/** A bundle as files, to be put into a larger ZIP. */
export type BundleInParts = About & {
  readonly shipmentId: string
  readonly files: readonly PackedFile[]
}

/** Each bundle takes several megabytes and, in the printing process, seconds of CPU time. */
const bundleLimits = {
  atOnceMax: 2,
  ofOrganizationMax: 1,
  waitingMax: 16,
  ofOrganizationWaitingMax: 3,
  waitMs: 20_000,
} as const
/**
 * Requests for many bundles: each uses up to 30 MiB and up to half a minute, and takes a slot of
 * `bundleLimits` for each bundle.
 */
const fileLimits = {
  atOnceMax: 4,
  ofOrganizationMax: 1,
  waitingMax: 8,
  ofOrganizationWaitingMax: 0,
  waitMs: 20_000,
} as const
/**
 * All bundles and files in the making can wait. The largest report takes six seconds of CPU time:
 * if it takes longer, the machine is overloaded.
 */
const printLimits = {
  waitingMax: 16,
  ofOrganizationWaitingMax: 4,
  waitMs: 45_000,
  printMs: 45_000,
} as const
const retryAfterSeconds = 5
const verifierFile = join(import.meta.dirname, '..', '..', '..', 'verifier', 'verify.mjs')

/**
 * Makes bundles of evidence about shipments, a few at once; organizations are served in turn.
 * `make` and `makeEach` throw Problem: `overloaded`, `not_found`, `evidence_too_large`, and
 * `dependency_unavailable` while the last events are not sealed or if this process has no signing
 * key. They throw NotExportable if the ledger differs from its seals. Reads only; the caller
 * records the act.
 */
export class EvidenceBundles {
  readonly #deps: EvidenceDeps
  /** Reports have a printing process of their own, so that labels never wait for them. */
  readonly #printer = new PrintQueue(printLimits)
  readonly #bundles = new FairSemaphore(bundleLimits, busy)
  readonly #files = new FairSemaphore(fileLimits, busy)

  constructor(deps: EvidenceDeps) {
    this.#deps = deps
  }

  async make(requested: RequestedEvidence): Promise<EvidenceBundle> {
    return await this.#bundles.run(requested.organizationId, async () => {
      const { files, ...about } = await this.#made(requested)
      const bytes = zipOf(files)
      return { ...about, bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
    })
  }

  /**
   * Makes the bundles of many shipments one after another. Other organizations are served in
   * between.
   */
  async *makeEach(
    requested: Requested,
    shipmentIds: readonly string[],
  ): AsyncGenerator<BundleInParts> {
    const { organizationId } = requested
    const end = await this.#files.acquire(organizationId)
    try {
      for (const shipmentId of shipmentIds) {
        const made = await this.#bundles.run(organizationId, () =>
          this.#made({ ...requested, shipmentId }),
        )
        yield { ...made, shipmentId }
      }
    } finally {
      end()
    }
  }

  async print(organizationId: string, report: Report): Promise<Buffer> {
    const { bytes } = await this.#printer.run(organizationId, (ask) =>
      printedFile(ask, { do: 'print_report', report }),
    )
    return bytes
  }

  close(): void {
    this.#printer.close()
  }

  async #made(requested: RequestedEvidence): Promise<About & Pick<BundleInParts, 'files'>> {
    const { shipmentId, includePersonal, language } = requested
    const deps = this.#deps
    const sealed = await inFolder((folder) => sealedHistory(deps, shipmentId, folder))
    const stored = storedEventsIn(sealed.history)
    const personal = includePersonal ? await personalOf(deps.vault, shipmentId, stored) : null
    const madeAt = new Date()
    const report = await this.#report(requested, { sealed, stored, personal, madeAt })
    const { head, signer } = sealed
    const { witnesses } = deps
    const hasPersonal = personal !== null && personal.rows.length > 0
    const about = { shipmentId, witnesses, madeAt, language }
    const files: BundleFile[] = [
      {
        name: 'README.md',
        content: Buffer.from(
          readme({ ...about, signedWith: signer, hasPersonal: personal !== null }),
        ),
      },
      { name: 'checkpoint.txt', content: Buffer.from(sealed.note) },
      { name: 'history.ndjson', content: sealed.history },
      ...(personal === null
        ? []
        : [{ name: 'personal.json', content: personalFile(shipmentId, personal) }]),
      { name: 'report.pdf', content: report },
      { name: 'verify.mjs', content: await readFile(verifierFile) },
    ]
    const manifest = signedManifest({ ...about, head, files }, signer)
    const all = [...files, { name: 'manifest.txt', content: Buffer.from(manifest) }]
    const missing = personal?.missing.length ?? 0
    return {
      files: await Promise.all(all.map(pack)),
      events: stored.length,
      treeSize: head.size,
      hasPersonal,
      missing,
    }
  }

  async #report(
    { shipmentId, organizationId, includePersonal, times, language }: RequestedEvidence,
    { sealed, stored, personal, madeAt }: Made,
  ): Promise<Buffer> {
    const events = ledgerEventsOf(stored)
    const operatorIds = events.flatMap(({ operatorId }) => operatorId ?? [])
    // The events contain the operators' ids in any case.
    const names = includePersonal
      ? await operatorNames(this.#deps.db, operatorIds, null)
      : new Map<string, string>()
    const contents = new Map(
      (personal?.rows ?? []).flatMap(({ items }) =>
        items.map(({ reference, json }) => [reference, json] as const),
      ),
    )
    const report = reportOf({
      shipmentId,
      events,
      names,
      times,
      language,
      madeAt,
      kept: (ref) => contents.get(ref ?? '') ?? null,
      personal,
      checked: { ...sealed.checked, vault: vaultOf(personal) },
    })
    return await this.print(organizationId, report)
  }
}

/** The audit event for a bundle that leaves the system. */
export function evidenceExported(
  shipmentId: string,
  bundle: About & Pick<EvidenceBundle, 'sha256'>,
): AuditEvent {
  const data = {
    shipment_id: shipmentId,
    includes_personal: bundle.hasPersonal,
    events: bundle.events,
    tree_size: bundle.treeSize,
    file_sha256: bundle.sha256,
  }
  return { type: 'EvidenceExported', data }
}

type Made = {
  readonly sealed: SealedHistory
  readonly stored: readonly StoredEvent[]
  readonly personal: Personal | null
  readonly madeAt: Date
}

type SealedHistory = {
  readonly history: Buffer
  /** The checkpoint's note with its cosignatures. */
  readonly note: string
  readonly head: TreeHead
  readonly signer: Signer
  readonly checked: Omit<Checked, 'vault'>
}

/** Exports the history once all of it is sealed, and verifies the file. */
async function sealedHistory(
  deps: EvidenceDeps,
  shipmentId: string,
  folder: string,
): Promise<SealedHistory> {
  const { db, store, witnesses, signingKeys } = deps
  const endsAtMs = performance.now() + sealWaitMs
  const file = join(folder, 'history.ndjson')
  const scope = { organization_id: null, shipment_id: shipmentId, from: null, to: null }
  let checkpoint: Checkpoint
  let notSealed: number
  do {
    checkpoint = await coveringCheckpoint(deps, shipmentId, endsAtMs)
    const exported = await exportLedger({ db, store }, file, scope, { signingKeys, checkpoint })
    // The next checkpoint covers events that were recorded meanwhile.
    notSealed = exported.not_sealed
  } while (notSealed > 0)
  const { note } = checkpoint
  const head = readNote(note)?.head
  if (head === undefined) throw new Error('bug: a checkpoint that cannot be read')
  const signer = knownSigner(await checkpointKeys(db), signingKeys)
  if (signer === null) throw noKey()
  const verified = await verifyFile(file, signer)
  const cosigned = checkCosigned(note, witnesses)
  const checked = { file: verified, head, signedWith: signer, witnesses, cosigned }
  return { history: await readFile(file), note, head, signer, checked }
}

function busy(): Problem {
  const detail = 'Other bundles are being made. Try again in a moment.'
  return new Problem('overloaded', { detail, retryAfterSeconds })
}

function noKey(): Problem {
  const detail =
    'This process has no key that has signed checkpoints of this ledger, so it cannot sign a bundle. The service provider must set CHECKPOINT_KEY.'
  return new Problem('dependency_unavailable', { detail })
}

function vaultOf(personal: Personal | null): Checked['vault'] {
  if (personal === null) return null
  const items = personal.rows.reduce((sum, row) => sum + row.items.length, 0)
  return {
    items,
    altered: personal.altered.length,
    missing: personal.missing.length,
    erased: personal.erased.length,
  }
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'shipping-ledger-evidence-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
