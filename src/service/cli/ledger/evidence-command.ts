import { rename, rm, writeFile } from 'node:fs/promises'
import { type Language, languages } from '../../domain/language.ts'
import { signingKeys } from '../../ledger/checkpoints.ts'
import {
  type EvidenceBundle,
  EvidenceBundles,
  evidenceExported,
} from '../../ledger/evidence/evidence-bundles.ts'
import { type Times, timesIn } from '../../ledger/evidence/report/times.ts'
import { audit } from '../../security/audit.ts'
import { acting, asRecorded, by } from '../acting.ts'
import { type Command, counted, UsageError } from '../command.ts'
import { ownerOf } from '../known.ts'
import { explained, outFile, refuseTaken } from './out-file.ts'

export const evidence: Command = {
  name: 'evidence',
  summary: 'Writes a bundle of evidence about a shipment: a report, its history and the proofs.',
  flags: {
    shipment: {
      value: 'SHIPMENT',
      id: 'shp',
      required: true,
      description: 'The shipment (shp_…).',
    },
    out: {
      value: 'FILE',
      required: true,
      description: 'The ZIP file to write. It must not exist yet.',
    },
    'include-personal': {
      description: "Include the vault's content: the recipient, notes, texts of the courier.",
    },
    'time-zone': {
      value: 'ZONE',
      description: 'The time zone of the report, such as Europe/Madrid. Default: UTC.',
    },
    lang: {
      value: 'LANGUAGE',
      description: 'The language of the report and the README: en or es. Default: en.',
    },
    ...asRecorded,
  },
  examples: [
    'evidence --shipment shp_4Zb1cD2eF3gH4iJ5kL6mN7 --out evidence.zip',
    'evidence --shipment shp_4Zb1cD2eF3gH4iJ5kL6mN7 --out all.zip --include-personal --time-zone America/Lima --lang es',
  ],
  run: async (call) => {
    const { flags, open } = call
    const actorOn = acting(call)
    const times = timesOf(flags.get('time-zone') ?? 'UTC')
    const language = languageOf(flags.get('lang') ?? 'en')
    const shipmentId = flags.get('shipment') ?? ''
    const out = outFile(call)
    const includePersonal = flags.has('include-personal')
    const { db, store, vault, witnesses, checkpointKeys } = await open()
    const owner = await ownerOf(store, shipmentId)
    const actor = await by(actorOn, owner.organizationId)
    const { organizationId } = owner
    const order = { shipmentId, organizationId, includePersonal, times, language }
    const bundles = new EvidenceBundles({
      db,
      store,
      vault,
      witnesses,
      signingKeys: signingKeys(checkpointKeys),
    })
    let bundle: EvidenceBundle
    try {
      bundle = await bundles.make(order)
    } catch (error) {
      throw explained(error, out.name)
    } finally {
      bundles.close()
    }
    await writeBundle(bundle, out, () =>
      audit(store, {
        ...actor,
        ...owner,
        ...evidenceExported(shipmentId, bundle),
      }),
    )
    return {
      json: {
        file: out.name,
        shipment_id: shipmentId,
        events: bundle.events,
        tree_size: bundle.treeSize,
        includes_personal: bundle.hasPersonal,
        sha256: bundle.sha256,
      },
      text: [
        `Wrote evidence of ${counted(bundle.events, 'event')} to ${out.name} (SHA-256 ${bundle.sha256}).`,
        ...(includePersonal ? [personalNotice(bundle)] : []),
        'Unpack it, and check it with: node verify.mjs',
      ].join('\n'),
    }
  },
}

function personalNotice({ hasPersonal, missing }: EvidenceBundle): string {
  const has = hasPersonal
    ? 'It contains personal data: give it only to people who may see it.'
    : 'It contains no personal data.'
  if (missing > 0) {
    const entries = counted(missing, 'entry', 'entries')
    return `${has} PROBLEM: the vault lacks ${entries}, and no erasure explains it. See verify --vault.`
  }
  return hasPersonal ? has : `${has} The personal data of this shipment was erased.`
}

function timesOf(zone: string): Times {
  const times = timesIn(zone)
  if (times !== null) return times
  throw new UsageError(
    '--time-zone must be a name from the time zone database, like Europe/Madrid.',
  )
}

function languageOf(name: string): Language {
  const language = languages.find((known) => known === name)
  if (language !== undefined) return language
  throw new UsageError(`--lang must be one of: ${languages.join(', ')}.`)
}

/** Writes the file. It gets its name when it is complete and its act is recorded. */
async function writeBundle(
  { bytes }: EvidenceBundle,
  out: { readonly file: string; readonly name: string },
  record: () => Promise<void>,
): Promise<void> {
  const unfinished = `${out.file}.${process.pid}.unfinished`
  try {
    await writeFile(unfinished, bytes, { mode: 0o600, flush: true })
    refuseTaken(out)
    await record()
    await rename(unfinished, out.file)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw explained(error, out.name)
  }
}
