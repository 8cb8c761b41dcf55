import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { rfc3339 } from '../domain/decider.ts'
import { isId, platform } from '../domain/ids.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { type ExportScope, exportLedger, NotExportable } from '../ledger/export.ts'
import { audit } from '../security/audit.ts'
import { byCli } from './administration.ts'
import { ownerOf } from './audit-reads.ts'
import { type Command, CommandFailed, readTime, UsageError } from './command.ts'
import { progress, progressFlag, progressWriter } from './progress.ts'

export const exportCommand: Command = {
  name: 'export',
  summary: 'Writes events with their proofs to a file that auditors check by themselves.',
  flags: {
    out: { value: 'FILE', required: true, description: 'Where to; a file that exists is refused.' },
    org: { value: 'ORG', description: 'Only what belongs to this organization (org_…).' },
    shipment: { value: 'SHIPMENT', description: 'Only this shipment (shp_…).' },
    from: { value: 'TIME', description: 'Only what was recorded at this time or later.' },
    to: { value: 'TIME', description: 'Only what was recorded before this time.' },
    ...progressFlag,
  },
  examples: [
    'export --out ledger.ndjson',
    'export --out shop.ndjson --org org_4Zb1cD2eF3gH4iJ5kL6mN7 --from 2026-01-01T00:00:00Z',
    'export --out one.ndjson --shipment shp_4Zb1cD2eF3gH4iJ5kL6mN7',
  ],
  run: async (call) => {
    const { flags, open, pathOf } = call
    const scope = scopeOf(flags)
    const name = flags.get('out') ?? ''
    const file = pathOf(name)
    if (existsSync(file)) throw new CommandFailed(`${name} exists: choose another name.`)
    if (!existsSync(dirname(file)) || !statSync(dirname(file)).isDirectory()) {
      throw new CommandFailed(`There is no folder for ${name}.`)
    }
    const { readModels, store } = await open()
    const upTo = await store.head()
    await auditExport(store, scope)
    const told = progress({ what: 'export', head: upTo, write: progressWriter(call) })
    const options = { upTo, progress: told }
    const exported = await exportLedger({ db: readModels, store }, file, scope, options).catch(
      (error: unknown) => {
        throw error instanceof NotExportable ? new CommandFailed(error.message) : error
      },
    )
    const left = exported.not_sealed === 0 ? '' : ` ${exported.not_sealed} are not sealed yet.`
    return {
      json: {
        file: name,
        events: exported.events,
        not_sealed: exported.not_sealed,
        tree_size: exported.treeSize,
      },
      text: `${exported.events} events are in ${name}.${left} Check it with: verify --file ${name}`,
    }
  },
}

/** Whose events leave the house, or the platform, is told before they do. */
async function auditExport(store: EventStore, scope: ExportScope): Promise<void> {
  const { organization_id: asked, shipment_id: shipmentId } = scope
  const owner = shipmentId === null ? null : await ownerOf(store, shipmentId)
  const organizationId = owner?.organizationId ?? asked ?? platform
  await audit(store, {
    ...{ ...byCli, organizationId, type: 'LedgerExported' },
    data: { organization_id: asked, shipment_id: shipmentId },
  })
}

function scopeOf(flags: ReadonlyMap<string, string>): ExportScope {
  const org = flags.get('org') ?? null
  const shipment = flags.get('shipment') ?? null
  if (org !== null && !isId('org', org)) {
    throw new UsageError('An organization is named by its id (org_…).')
  }
  if (shipment !== null && !isId('shp', shipment)) {
    throw new UsageError('A shipment is named by its id (shp_…).')
  }
  return {
    organization_id: org,
    shipment_id: shipment,
    from: timeOf('from', flags.get('from')),
    to: timeOf('to', flags.get('to')),
  }
}

function timeOf(name: string, text: string | undefined): string | null {
  if (text === undefined) return null
  return rfc3339(readTime(name, text))
}
