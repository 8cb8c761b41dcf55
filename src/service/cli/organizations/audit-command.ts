import { auditStream, platform } from '../../domain/ids.ts'
import { decodeAuditEvent, ledgerEventObject } from '../../event-store/codec.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import { audit } from '../../security/audit.ts'
import { type ActorOn, acting, asRecorded, by, formatActor } from '../acting.ts'
import { type Command, columns, UsageError } from '../command.ts'
import { requireOrganization } from '../known.ts'

const listed = 100
const listedMax = 1_000

export const auditList: Command = {
  name: 'audit list',
  summary: 'Lists the administrative acts on an organization, oldest first.',
  flags: {
    org: { value: 'ORG', id: 'org', description: 'The organization (org_…).' },
    platform: {
      description:
        'Instead of --org: acts on resources of no organization, like couriers and plans.',
    },
    from: { value: 'N', description: 'The number of the first act to show. Default: 0.' },
    limit: { value: 'N', description: `How many, up to ${listedMax}; ${listed} if left out.` },
    ...asRecorded,
  },
  examples: [
    'audit list --org org_4Zb1cD2eF3gH4iJ5kL6mN7',
    'audit list --org org_4Zb1cD2eF3gH4iJ5kL6mN7 --from 100 --json',
    'audit list --platform',
  ],
  run: async (call) => {
    const { flags, open } = call
    const org = flags.get('org')
    if ((org === undefined) === !flags.has('platform')) {
      throw new UsageError('Give either --org or --platform.')
    }
    const from = numberOf('from', flags.get('from') ?? '0', 0, Number.MAX_SAFE_INTEGER)
    const limit = numberOf('limit', flags.get('limit') ?? String(listed), 1, listedMax)
    const { store, db } = await open()
    if (org !== undefined) await requireOrganization(db, org)
    // Reads one more than it shows, to tell whether there are more.
    const found = await store.readStream(auditStream(org ?? platform), { from, limit: limit + 1 })
    // Events are shown as stored, but each must match its schema.
    for (const event of found) decodeAuditEvent(event)
    const data = found.slice(0, limit).map((event) => ledgerEventObject(event))
    if (org !== undefined && data.length > 0) {
      await auditRead({ store, actorOn: acting(call) }, org, from, data.length)
    }
    const next = found.length > limit ? from + limit : null
    const rows = data.map((event) => [
      String(event.revision),
      event.recorded_at,
      event.type,
      formatActor(event.actor),
      JSON.stringify(event.data),
    ])
    const table = columns([['N', 'RECORDED', 'ACT', 'BY', 'WHAT'], ...rows])
    return {
      json: JSON.parse(JSON.stringify({ data, next_from: next })),
      text: next === null ? table : `${table}\nThere are more: --from ${next}`,
    }
  },
}

/**
 * When the platform reads an organization's audit, that is recorded there before anything is shown.
 * Reading the platform's own audit is not recorded.
 */
async function auditRead(
  { store, actorOn }: { readonly store: EventStore; readonly actorOn: ActorOn },
  organizationId: string,
  first: number,
  events: number,
): Promise<void> {
  await audit(store, {
    ...(await by(actorOn, organizationId)),
    organizationId,
    type: 'AuditEventsSeen',
    data: { organization_id: organizationId, first, events },
  })
}

function numberOf(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < min || value > max) {
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}.`)
  }
  return value
}
