import { apiOf } from '../../../src/service/api.ts'
import { byCli } from '../../../src/service/cli/acting.ts'
import type { App } from '../../../src/service/http/api-services.ts'
import { projectionsReached } from '../../../src/service/projector/checkpoint.ts'
import { createApiKey, scopes } from '../../../src/service/security/api-keys.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { eventually } from '../../support/eventually.ts'
import { collectingLogger, type Service, type TestServiceOptions } from '../../support/service.ts'
import { type Ask, asksOf } from './isolation-asks.ts'
import { logLeaks, webhookLeaks } from './isolation-leaks.ts'
import { apiWithout, apiWithoutOwners, type Owners } from './isolation-mutants.ts'
import { guardedRows, webhookTexts } from './isolation-rows.ts'
import { isolation, type Violation } from './isolation-run.ts'
import { nobody, type Reach, reaches } from './isolation-worlds.ts'

export type Proved = {
  readonly requests: number
  readonly asks: number
  readonly violations: readonly Violation[]
  /** The number of tables in which the victims' rows were compared. */
  readonly tables: number
  /** The number of wrong answers by removed layer. */
  readonly mutants: Readonly<Record<string, number>>
}

/** For a few dozen shipments on a busy machine. */
const caughtUpMs = 60_000

export type ProofOptions = {
  readonly service: (options?: TestServiceOptions) => Promise<Service>
  /** Makes only every n-th request; 1 for all. */
  readonly every: number
  readonly progress?: (text: string) => void
}

/** Every n-th request, from a different start for each caller. */
function some<Item>(items: readonly Item[], every: number, from: number): readonly Item[] {
  return items.filter((_, index) => (index + from) % every === 0)
}

/**
 * Waits until the callers' requests are in the request log, which is written in order: a late line
 * of one caller must not count as a change by the next. Only a few of a busy caller's requests are
 * logged, so the marker request uses a key of an organization that makes no others.
 */
async function logWritten(shop: Service, app: App, markerKey: string): Promise<void> {
  const { headers } = await app.inject({
    url: `/v1/shipments/${nobody.shipment}`,
    headers: { authorization: `Bearer ${markerKey}` },
  })
  const id = headers['x-request-id']
  await eventually(
    () => shop.parts.pool.query('SELECT FROM request_log WHERE id = $1', [id]),
    ({ rowCount }) => rowCount === 1,
  )
}

async function keyOfItsOwn({ parts }: Service): Promise<string> {
  const { id: organizationId } = await createOrganization(
    parts,
    { name: 'Marker', type: 'external' },
    byCli,
  )
  const order = { organizationId, workspaceId: null, livemode: false, scopes, expiresAt: null }
  return (await createApiKey(parts, order, byCli)).key
}

/** Requests all resources with every caller, and again with each layer removed. */
export async function proveIsolation(options: ProofOptions): Promise<Proved> {
  const { progress = () => undefined, every } = options
  const made = await options.service()
  const all = await reaches(made)
  const markerKey = await keyOfItsOwn(made)
  // From here on only the callers' requests can change the victims' rows.
  await made.stop()
  const shop = await options.service({
    after: made,
    roles: ['api', 'projector'],
    // No worker advances clocks, so requests do not wait for one.
    advance: { answerMs: 0 },
  })
  // Rows of a lagging read model would change by themselves.
  await caughtUp(shop)
  const lines: string[] = []
  const { app, keys } = apiOf(shop.parts, collectingLogger(lines))
  await app.ready()
  const violations: Violation[] = []
  let requests = 0
  let asks = 0
  let tables = 0
  for (const [index, reach] of all.entries()) {
    const questions = some(asksOf(reach), every, index)
    const before = await guardedRows(shop.database.adminUrl, reach)
    const verdict = await isolation(app, questions, (done) =>
      progress(`${reach.name}: ${done} of ${questions.length}`),
    )
    // Only then are the effects of the last requests in the rows and the outbox.
    await caughtUp(shop)
    await logWritten(shop, app, markerKey)
    const after = await guardedRows(shop.database.adminUrl, reach)
    const webhooks = await webhookTexts(shop.database.adminUrl)
    requests += verdict.requests
    asks += questions.length
    tables = Object.keys(before).length
    violations.push(
      ...verdict.violations,
      ...changes(reach, before, after),
      ...webhookLeaks(reach, webhooks),
    )
    progress(`${reach.name}: ${questions.length} asked, ${violations.length} violations so far`)
  }
  await app.close()
  await keys.close()
  // Plus one request of `logWritten` per caller.
  const answered = requests + all.length
  violations.push(...logLeaks(all, answered, [...lines, ...shop.logged]))
  return { requests, asks, tables, violations, mutants: await mutantsOf(shop, all, every) }
}

/** Resolves when the read models and the outbox have applied every event of the ledger. */
async function caughtUp({ parts: { db, store } }: Service): Promise<void> {
  if (!(await projectionsReached(db, await store.head(), caughtUpMs)))
    throw new Error('the read models and the outbox do not catch up')
}

function changes(
  { name }: Reach,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly Violation[] {
  return Object.keys(before)
    .filter((table) => before[table] !== after[table])
    .map((table) => ({ ask: `${name}: ${table}`, what: `${before[table]} became ${after[table]}` }))
}

/** Only reads: without a layer, other requests would change the victims' data. */
function reads(reach: Reach, every: number): readonly Ask[] {
  const wanted = asksOf(reach).filter(
    ({ method, kind, position }) =>
      method === 'GET' && (kind === position.kind || position.in === 'cursor'),
  )
  return some(wanted, Math.min(every, 2), 0)
}

async function mutantsOf(shop: Service, all: readonly Reach[], every: number) {
  const [foreign] = all
  if (foreign === undefined) throw new Error('nobody asks')
  const questions = reads(foreign, every)
  const count = async (
    mutant: Awaited<ReturnType<typeof apiWithout>>,
    asks: readonly Ask[] = questions,
  ) => {
    const { violations } = await isolation(mutant.app, asks)
    await mutant.close()
    return violations.length
  }
  const { rows } = await shop.parts.pool.query<{ organization_id: string }>(
    'SELECT organization_id FROM workspaces WHERE id = $1',
    [foreign.own.workspace],
  )
  const owner = String(rows[0]?.organization_id)
  // A position contains no shipment id; only its event tells the owner.
  const ofShipments = questions.filter(({ path }) => !path.startsWith('/v1/ledger/proof/'))
  const withoutOwners = async (owners: Owners) =>
    await count(await apiWithoutOwners(shop, owners, foreign, owner), ofShipments)
  return {
    'without conditions': await count(await apiWithout(shop, { conditions: false, fence: true })),
    'without fence': await count(await apiWithout(shop, { conditions: true, fence: false })),
    'without both': await count(await apiWithout(shop, { conditions: false, fence: false })),
    'without owners in the vault': await withoutOwners({ ofVault: false, ofStreams: true }),
    'without owners of streams': await withoutOwners({ ofVault: true, ofStreams: false }),
    'without any owners': await withoutOwners({ ofVault: false, ofStreams: false }),
  }
}
