import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import t from 'tap'
import { createServices } from '../../src/service/app.ts'
import { run } from '../../src/service/cli/run-command.ts'
import { auditStream, platform } from '../../src/service/domain/ids.ts'
import { ensureProjections } from '../../src/service/roles.ts'
import { checkSecrets } from '../../src/service/secrets/secret-checks.ts'
import {
  readSecretsFile,
  type Secrets,
  secretsFile,
  takeNextKey,
} from '../../src/service/secrets/secrets.ts'
import { sealConnectorToken } from '../../src/service/security/encryption/credentials.ts'
import { SealBroken } from '../../src/service/security/encryption/encryption.ts'
import { masterKeys } from '../../src/service/security/encryption/master-keys.ts'
import { rewrap } from '../../src/service/security/encryption/rewrap.ts'
import {
  notSealed,
  sealedByADataKey,
  sealedTables,
} from '../../src/service/security/encryption/sealed-tables.ts'
import { webhookSealer } from '../../src/service/security/encryption/webhook-secrets.ts'
import { Vault } from '../../src/service/security/vault/vault.ts'
import { postgresVaultRows } from '../../src/service/security/vault/vault-statements.ts'
import type { Services } from '../../src/service/services.ts'
import type { StoredAttempt } from '../../src/service/webhooks/record-attempts.ts'
import { pendingDeliveries, webhookTenants } from '../prove/webhooks/webhook-tenants.ts'
import { eventually } from '../support/eventually.ts'
import { noLogger, testSecrets } from '../support/service.ts'
import { storeRow } from '../support/stored-row.ts'
import { type TestDatabase, testDatabase } from '../support/test-database.ts'

const old = testSecrets()
const fresh = randomBytes(32).toString('base64')
const both: Secrets = { ...old, secretsKey: fresh, secretsKeyPrevious: [old.secretsKey] }
const alone: Secrets = { ...old, secretsKey: fresh, secretsKeyPrevious: [] }
const person = { name: 'Rosa Quispe' }
const account = { username: 'shop', password: 'hunter2' }
/** More rows than one step rewraps. */
const vaultRows = 620
const deliveries = 12

/** Opens every sealed value of each kind; rejects if one does not open. */
function openersOf(
  parts: Services,
  { organizationId, vault }: Ids,
): Record<string, () => Promise<unknown>> {
  const { db, sealer, webhookSealer: webhooks } = parts
  const endpoint = db.selectFrom('webhook_endpoints').selectAll().executeTakeFirstOrThrow()
  return {
    async connection() {
      const row = await db.selectFrom('courier_connections').selectAll().executeTakeFirstOrThrow()
      return sealer.open({ organizationId, connectionId: row.id, sealed: row.credentials })
    },
    async courier() {
      const row = await db.selectFrom('couriers').selectAll().executeTakeFirstOrThrow()
      return parts.tokens.open(row.provider_code, row.token as Buffer)
    },
    async secret() {
      const { id: endpointId, secret } = await endpoint
      return webhooks.openSecret({ organizationId, endpointId }, secret).toString('hex')
    },
    async previousSecret() {
      const { id: endpointId, previous_secret: secret } = await endpoint
      return webhooks.openSecret({ organizationId, endpointId }, secret as Buffer).toString('hex')
    },
    async excerpts() {
      const rows = await db
        .selectFrom('webhook_deliveries')
        .select(['id', 'attempts'])
        .orderBy('id')
        .$narrowType<{ attempts: StoredAttempt[] }>()
        .execute()
      return rows.map(({ id, attempts }) =>
        attempts.map(({ excerpt, ...rest }) => [rest, webhooks.openExcerpt(id, excerpt as string)]),
      )
    },
    async vault() {
      const opened = await parts.vault.openAll(vault.slice(-500))
      return [...opened].map(([ref, { payload }]) => [ref, payload]).sort()
    },
  }
}

async function openedBy(parts: Services, ids: Ids): Promise<Record<string, unknown>> {
  const opened: Record<string, unknown> = {}
  for (const [kind, open] of Object.entries(openersOf(parts, ids))) opened[kind] = await open()
  return opened
}

type Ids = { readonly organizationId: string; readonly vault: readonly string[] }

/** Seals something of every kind under one key; one vault row is erased. */
async function fill(database: TestDatabase, parts: Services, secretsKey: string): Promise<Ids> {
  const keys = masterKeys(secretsKey)
  const [tenant] = await webhookTenants(database, secretsKey, ['https://example.com/'])
  if (tenant === undefined) throw new Error('no tenant was created')
  const { organizationId, workspaceId, endpointId } = tenant
  await pendingDeliveries(database, tenant, deliveries)
  const { db, sealer } = parts
  const webhooks = webhookSealer(keys)
  const at = { organizationId, endpointId }
  await db
    .updateTable('webhook_endpoints')
    .set({ previous_secret: webhooks.sealSecret(at, randomBytes(24)) })
    .execute()
  const attempt = { at: '', status_code: 500, latency_ms: 1, error: null }
  for (const { id } of await db.selectFrom('webhook_deliveries').select('id').execute()) {
    const attempts = [{ ...attempt, excerpt: webhooks.sealExcerpt(id, 'hunter2') }]
    await db
      .updateTable('webhook_deliveries')
      .set({ attempts: JSON.stringify(attempts) })
      .where('id', '=', id)
      .execute()
  }
  const connectionId = 'ccn_1'
  const now = new Date()
  await db
    .insertInto('courier_connections')
    .values({
      id: connectionId,
      organization_id: organizationId,
      workspace_id: workspaceId,
      livemode: false,
      provider_code: 'mock',
      display_name: 'C',
      status: 'active',
      credentials: sealer.seal({ organizationId, connectionId, credentials: account }),
      created_at: now,
      updated_at: now,
    })
    .execute()
  await db
    .insertInto('couriers')
    .values({
      provider_code: 'one',
      display_name: 'One',
      base_url: 'https://example.com/',
      token: sealConnectorToken(keys, 'one', 'hunter2'),
      capabilities: '{}',
      created_at: now,
      updated_at: now,
    })
    .execute()
  const owner = { organizationId, workspaceId }
  const vault = await Promise.all(
    Array.from({ length: vaultRows }, async (_, row) => {
      const shipmentId = row === 0 ? 'shp_erased' : 'shp_1'
      const draft = parts.vault.prepare({ ...owner, shipmentId }, person)
      await storeRow(parts.pool, draft)
      return draft.row.ref
    }),
  )
  await parts.vault.erase('shp_erased')
  return { organizationId, vault }
}

const database = await testDatabase(t)

function open(test: { teardown(fn: () => Promise<unknown>): unknown }, secrets: Secrets): Services {
  const parts = createServices({
    databaseUrl: database.url,
    secrets,
    simulatorUrl: null,
    log: noLogger(),
  })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= parts.close()
    return closed
  }
  test.teardown(close)
  return { ...parts, close }
}

async function start(secrets: Secrets): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await checkSecrets(client, secrets)
  } finally {
    await client.end()
  }
}

function ledger(parts: Services, secrets: Secrets, ...args: string[]) {
  return ledgerWith(parts, { secrets, secretsDir: null }, args)
}

async function ledgerWith(
  parts: Services,
  { secrets, secretsDir }: { readonly secrets: Secrets; readonly secretsDir: string | null },
  args: readonly string[],
) {
  const said: string[] = []
  const write = (line: string) => void said.push(line)
  const services = {
    ...parts,
    secrets,
    secretsDir,
    isContiguous: true,
    simulatorIsKnown: false,
    close: async () => {},
  }
  const code = await run([...args], {
    open: async () => services,
    write,
    writeError: write,
    isWatched: false,
    operator: () => undefined,
    systemUser: null,
    pathOf: (file) => file,
    openLedgers: () => Promise.reject(new Error('no ledger is copied here')),
  })
  return { code, said: said.join('\n') }
}

t.test('every binary column is listed as sealed or as not sealed', async (t) => {
  const parts = open(t, old)
  await ensureProjections(parts)
  const { rows } = await parts.pool.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE data_type = 'bytea' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  )
  const known = [
    ...sealedTables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`)),
    ...sealedByADataKey,
    ...notSealed,
  ]
  t.same(rows.map(({ name }) => name).sort(), known.sort())
})

t.test('PostgreSQL keeps no samples of sealed data, which would outlive their rows', async (t) => {
  const parts = open(t, old)
  const { rows } = await parts.pool.query<{ name: string }>(
    `SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute WHERE attstattarget = 0`,
  )
  const sealed = [
    ...sealedTables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`)),
    ...sealedByADataKey,
    'webhook_deliveries.attempts',
  ]
  t.same(rows.map(({ name }) => name).sort(), sealed.sort())
})

t.test('after a rotation during live traffic the old key opens nothing', async (t) => {
  await start(old)
  const before = open(t, old)
  const ids = await fill(database, before, old.secretsKey)
  const content = await openedBy(before, ids)
  t.match(content, { connection: account, courier: 'hunter2', vault: { length: 500 } })

  const refused = await start(both).catch((error: Error) => error.message)
  t.match(refused, /does not know the new SECRETS_KEY .*\. Stop it, or first restart it/)
  await before.close()
  await start(both)
  await t.rejects(start(alone), {
    message: /\(SECRETS_KEY\)\. .* until "secrets rotate" has finished/,
  })

  // A process that still writes under the old key, though it knows the new one.
  const parts = open(t, both)
  const late = open(t, { ...both, secretsKey: old.secretsKey, secretsKeyPrevious: [fresh] })
  await late.pool.query('SELECT')
  const tooEarly = await ledger(parts, both, 'secrets', 'rotate')
  t.match(tooEarly, { code: 1, said: /writes under another SECRETS_KEY than this command/ })
  await late.close()

  // Another session holds a row during the rotation.
  const holder = new pg.Client({ connectionString: database.adminUrl })
  await holder.connect()
  t.teardown(() => holder.end())
  await holder.query('BEGIN')
  await holder.query('SELECT FROM vault WHERE ref = $1 FOR UPDATE', [ids.vault[9]])
  const rotating = ledger(parts, both, 'secrets', 'rotate', '--json')
  const live: string[] = []
  const owner = { organizationId: ids.organizationId, workspaceId: 'ws', shipmentId: 'shp_2' }
  const isUnder = async () =>
    (await parts.pool.query(`SELECT FROM vault WHERE master_key_id <> $1`, [keyId])).rowCount
  const keyId = masterKeys(fresh).current.id
  await eventually(
    async () => {
      const draft = parts.vault.prepare(owner, person)
      await storeRow(parts.pool, draft)
      live.push(draft.row.ref)
      return await isUnder()
    },
    (left) => left !== null && left <= 2,
  )
  await holder.query('COMMIT')
  const { code, said } = await rotating
  t.equal(code, 0, said)
  const rewrapped = vaultRows - 1 + deliveries + 3
  t.match(JSON.parse(said), { status: 'done', rewrapped, to_key_id: keyId })

  const after = open(t, alone)
  await start(alone)
  t.same(await openedBy(after, ids), content, 'all is as it was, by the new key alone')
  t.equal((await after.vault.openAll(live)).size, live.length)
  t.equal(await after.vault.open(ids.vault[0] as string), null, 'the erased stays so')
  // Each kind separately: otherwise one that still opens would hide one that does not.
  for (const [kind, opens] of Object.entries(openersOf(open(t, old), ids))) {
    await t.rejects(opens(), SealBroken, kind)
  }
  await t.rejects(start(old), { message: /\(SECRETS_KEY\)/ })
  const [event, ...others] = await parts.store.readStream(auditStream(platform))
  t.match(event, { type: 'MasterKeyRotated', data: { to_key_id: keyId } })
  t.same(others, [])
  const again = await ledger(after, alone, 'secrets', 'rotate')
  t.match(again, { code: 0, said: /^Every secret is under the current master key\. For a new key/ })
})

t.test('a rotation that ended before writing the secrets file is completed', async (t) => {
  const secretsDir = mkdtempSync(join(tmpdir(), 'shipping-ledger-rotation-'))
  t.teardown(async () => rmSync(secretsDir, { recursive: true, force: true }))
  const file = join(secretsDir, secretsFile)
  writeFileSync(
    file,
    JSON.stringify({ SECRETS_KEY: fresh, SECRETS_KEY_PREVIOUS: [old.secretsKey] }),
  )
  const parts = open(t, both)
  const rotate = (secrets: Secrets) =>
    ledgerWith(parts, { secrets, secretsDir }, ['secrets', 'rotate'])
  t.match(await rotate(both), { code: 0, said: /^Every secret is under the current master key/ })
  t.same(readSecretsFile(secretsDir), { SECRETS_KEY: fresh }, 'nothing uses the old key any more')
  t.match(
    await rotate(alone),
    { code: 0, said: /^A new master key was created/ },
    'and there can be another',
  )
  t.match(await rotate(alone), { code: 0, said: /^A new master key was created/ })
  const waiting = readSecretsFile(secretsDir)
  takeNextKey(secretsDir)
  t.same(readSecretsFile(secretsDir), {
    SECRETS_KEY: waiting?.SECRETS_KEY_NEXT,
    SECRETS_KEY_PREVIOUS: [fresh],
  })
})

t.test('a row that no key opens is reported and left unchanged', async (t) => {
  const parts = open(t, alone)
  const stranger = masterKeys(randomBytes(32).toString('base64'))
  const vault = new Vault(postgresVaultRows(parts.pool), stranger)
  const owner = { organizationId: 'org_x', workspaceId: 'ws_x', shipmentId: 'shp_x' }
  const draft = vault.prepare(owner, person)
  await storeRow(parts.pool, draft)
  const unknown = await ledger(parts, alone, 'secrets', 'rotate')
  const said = new RegExp(`unknown master keys \\(${stranger.current.id}\\)\\. Put`)
  t.match(unknown, { code: 1, said })
  const table = sealedTables.find(({ name }) => name === 'vault')
  if (table === undefined) throw new Error('the vault is not in the table')
  t.same(await rewrap(parts.pool, masterKeys(fresh), table, [draft.row.ref]), {
    rewrapped: 0,
    broken: 1,
  })
  t.same((await vault.open(draft.row.ref))?.payload, person, 'as it was')
})
