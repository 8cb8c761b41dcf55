import type { Kysely } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { rfc3339 } from '../../domain/decider.ts'
import { platform } from '../../domain/ids.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import { signingKeys } from '../../ledger/checkpoints.ts'
import { type Exported, type ExportScope, exportLedger } from '../../ledger/export.ts'
import { type AuditEntry, audit } from '../../security/audit.ts'
import { acting, asRecorded, by } from '../acting.ts'
import { type Command, CommandFailed, counted, readTime, UsageError } from '../command.ts'
import { ownerOf, requireOrganization } from '../known.ts'
import { progress, progressFlag, progressWriter } from '../progress.ts'
import { untilInterrupted } from '../until-interrupted.ts'
import { isPart, notSealedNotice, partNotice } from './export-messages.ts'
import { explained, outFile, refuseTaken } from './out-file.ts'
import { checkpointFlag, readTrusted, trustedNotices } from './trusted-files.ts'

export const exportCommand: Command = {
  name: 'export',
  summary: 'Writes events with their proofs to a file that auditors can check offline.',
  flags: {
    out: {
      value: 'FILE',
      required: true,
      description: 'The file to write. It must not exist yet.',
    },
    org: {
      value: 'ORG',
      id: 'org',
      description: 'Only the events of this organization (org_…).',
    },
    shipment: { value: 'SHIPMENT', id: 'shp', description: 'Only this shipment (shp_…).' },
    from: { value: 'TIME', description: 'Only events recorded at this time or later.' },
    to: { value: 'TIME', description: 'Only events recorded before this time.' },
    checkpoint: {
      ...checkpointFlag,
      description:
        'Checkpoints that the auditor holds. The file proves that it continues each of them.',
    },
    ...progressFlag,
    ...asRecorded,
  },
  examples: [
    'export --out ledger.ndjson',
    'export --out shop.ndjson --org org_4Zb1cD2eF3gH4iJ5kL6mN7 --from 2026-01-01T00:00:00Z',
    'export --out one.ndjson --shipment shp_4Zb1cD2eF3gH4iJ5kL6mN7',
  ],
  run: async (call) => {
    const { flags, open } = call
    const actorOn = acting(call)
    const scope = scopeOf(flags)
    const { name, file } = outFile(call)
    const trusted = readTrusted(call)
    const { db, store, checkpointKeys } = await open()
    const owner = await ownerOfScope(db, store, scope)
    const exporter = await by(actorOn, owner.organizationId)
    const told = progress({ what: 'export', head: await store.head(), write: progressWriter(call) })
    const exported = await untilInterrupted((signal) =>
      exportLedger({ db, store }, file, scope, {
        signingKeys: signingKeys(checkpointKeys),
        held: trusted.checkpoints,
        progress: told,
        signal,
        record: async (done) => {
          refuseTaken({ file, name })
          await auditExport(store, { ...exporter, ...owner }, scope, done)
        },
      }),
    ).catch((error: unknown) => {
      throw explained(error, name)
    })
    const notice = isPart(scope) ? partNotice(scope, exported.isComplete) : null
    return {
      json: {
        file: name,
        events: exported.events,
        not_sealed: exported.not_sealed,
        tree_size: exported.treeSize,
        sha256: exported.sha256,
        complete: exported.isComplete,
        notice,
      },
      text: [
        `Wrote ${counted(exported.events, 'event')} to ${name} (SHA-256 ${exported.sha256}).`,
        ...(exported.not_sealed === 0 ? [] : [notSealedNotice(exported.not_sealed)]),
        ...(notice === null ? [] : [notice]),
        ...trustedNotices(trusted),
        `Check it with: verify --file ${name}`,
      ].join('\n'),
    }
  },
}

type Owner = Pick<AuditEntry, 'organizationId' | 'workspaceId' | 'livemode'>

/**
 * The owner of the events; the platform if they have several owners. Throws CommandFailed if the
 * organization has no such shipment.
 */
async function ownerOfScope(
  db: Kysely<Tables>,
  store: EventStore,
  { organization_id: organizationId, shipment_id: shipmentId }: ExportScope,
): Promise<Owner> {
  if (organizationId !== null) await requireOrganization(db, organizationId)
  if (shipmentId === null) return { organizationId: organizationId ?? platform }
  const owner = await ownerOf(store, shipmentId)
  if (organizationId !== null && owner.organizationId !== organizationId) {
    throw new CommandFailed(`The organization ${organizationId} has no shipment ${shipmentId}.`)
  }
  return owner
}

/** Records the export in the owner's audit before the file exists. */
async function auditExport(
  store: EventStore,
  act: Pick<AuditEntry, 'actor' | 'requestId'> & Owner,
  scope: ExportScope,
  exported: Exported,
): Promise<void> {
  await audit(store, {
    ...act,
    type: 'LedgerExported',
    data: {
      ...scope,
      events: exported.events,
      not_sealed: exported.not_sealed,
      tree_size: exported.treeSize,
      file_sha256: exported.sha256,
    },
  })
}

function scopeOf(flags: ReadonlyMap<string, string>): ExportScope {
  const org = flags.get('org') ?? null
  const shipment = flags.get('shipment') ?? null
  const [from, to] = [timeOf('from', flags.get('from')), timeOf('to', flags.get('to'))]
  if (from !== null && to !== null && from >= to) {
    throw new UsageError('--from must be before --to.')
  }
  return {
    organization_id: org,
    shipment_id: shipment,
    from,
    to,
  }
}

function timeOf(name: string, text: string | undefined): string | null {
  if (text === undefined) return null
  return rfc3339(readTime(name, text))
}
