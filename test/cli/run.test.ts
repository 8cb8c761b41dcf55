import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import t from 'tap'
import { commands as clientCommands } from '../../src/client/command/run-command-line.ts'
import { byCli, systemUser } from '../../src/service/cli/acting.ts'
import { commands } from '../../src/service/cli/commands.ts'
import { type Exit, exitCodes, exitMeanings } from '../../src/service/cli/exit-codes.ts'
import { progress } from '../../src/service/cli/progress.ts'
import { run } from '../../src/service/cli/run-command.ts'
import { protocolVersion } from '../../src/service/couriers/connector-description.ts'
import { auditStream } from '../../src/service/domain/ids.ts'
import { EventStoreUnavailable } from '../../src/service/event-store/event-store.ts'
import { positionOf } from '../../src/service/event-store/position.ts'
import { projectionsReached } from '../../src/service/projector/checkpoint.ts'
import { ApiKeys } from '../../src/service/security/api-keys.ts'
import { openConnectorToken } from '../../src/service/security/encryption/credentials.ts'
import { SealBroken } from '../../src/service/security/encryption/encryption.ts'
import { masterKeys } from '../../src/service/security/encryption/master-keys.ts'
import { createOperator } from '../../src/service/security/operators.ts'
import { createOrganization } from '../../src/service/security/organizations.ts'
import { scopesOfRole } from '../../src/service/security/scopes.ts'
import { commandServices } from '../support/run-command.ts'
import { service } from '../support/service.ts'
import { projectRoot } from '../support/source-files.ts'

const shop = await service(t)
const { parts } = shop
const { db, store, pepper } = parts
const master = masterKeys(shop.secrets.secretsKey)
const unsettled = await shop.create('unsettled', { scenario: 'lost_response_human_review' })
const doubled = await shop.create('doubled', { scenario: 'duplicate_guides' })
const settled = await shop.create('settled')
const operationId = String(unsettled.body.operation_id)
const doubledId = String(doubled.body.operation_id)
const settledId = `${String(settled.body.id).replace('shp_', 'op_')}01`
const unknownOperation = `op_${'a'.repeat(24)}`
await shop.advance('PT8H1M')
let closed = 0
const services = {
  ...commandServices(shop),
  close: async () => {
    closed++
  },
}

/** An operator who may act on every organization. */
const platformOrganization = await createOrganization(
  { db, store },
  { name: 'Platform', type: 'platform' },
  byCli,
)
const { id: operatorId } = await createOperator(
  { db, store },
  { organizationId: platformOrganization.id, name: 'Ana', email: 'ana@platform.example' },
  byCli,
)

async function ledger(...args: string[]) {
  const lines: string[] = []
  const errors: string[] = []
  const code = await run(args, {
    open: async () => services,
    openLedgers: () => Promise.reject(new Error('no ledger is copied here')),
    write: (line) => lines.push(line),
    writeError: (line) => errors.push(line),
    pathOf: (name) => resolve(name),
    isWatched: false,
    operator: () => undefined,
    systemUser: null,
  })
  return { code, out: lines.join('\n'), errors: errors.join('\n') }
}

async function ledgerJson(...args: string[]) {
  const { code, out, errors } = await ledger(...args, '--json')
  t.equal(errors, '')
  t.equal(out.split('\n').length, 1)
  return { code, json: JSON.parse(out) }
}

t.test('org create prints the organization and a working API key, and audits both', async (t) => {
  const { code, json } = await ledgerJson('org', 'create', '--name', 'Tienda Sol')
  t.equal(code, 0)
  t.match(json, {
    organization: { name: 'Tienda Sol', type: 'external' },
    api_key: { livemode: false },
  })
  const keys = new ApiKeys({ db, pepper })
  t.teardown(() => keys.close())
  const principal = await keys.authenticate(`Bearer ${json.api_key.key}`)
  t.match(principal, { organizationId: json.organization.id, livemode: false, workspaceId: null })
  t.notOk(principal?.scopes.has('operations:review'))
  const events = await store.readStream(auditStream(json.organization.id))
  t.same(
    events.map((event) => event.type),
    ['OrganizationCreated', 'ApiKeyCreated'],
  )
  t.notMatch(JSON.stringify(events), /Tienda Sol|svc_test_/)
})

t.test('org list shows every organization with its type, plan and status', async (t) => {
  await ledger('org', 'create', '--name', 'House', '--type', 'internal')
  const { out } = await ledger('org', 'list')
  t.match(out, /^ID +TYPE +PLAN +STATUS +CREATED +NAME\n/)
  t.match(out, /org_\w{22} +internal +default +active +\S+Z +House/)
})

t.test(
  'commands create, change and assign plans and suspend organizations, all audited',
  async (t) => {
    const made = await ledgerJson('plan', 'create', '--name', 'small', '--shipments', '100')
    t.match(made.json, { name: 'small', shipments_per_month: 100, requests_per_minute: null })
    const changed = await ledgerJson(
      ...['plan', 'update', 'small', '--shipments', 'unlimited', '--requests', '60'],
    )
    t.match(changed.json, { shipments_per_month: null, requests_per_minute: 60, workspaces: null })
    const { out } = await ledger('plan', 'list')
    t.match(out, /^NAME +SHIPMENTS +REQUESTS .*\ndefault .*\nsmall +unlimited +60 +unlimited/s)
    const order = ['org', 'create', '--name', 'Planned', '--plan', 'small']
    const { id } = (await ledgerJson(...order)).json.organization
    t.equal((await ledger('org', 'set-plan', '--org', id, '--plan', 'default')).code, 0)
    t.equal((await ledger('org', 'suspend', '--org', id)).code, 0)
    t.equal((await ledger('org', 'suspend', '--org', id)).code, 0, 'a repeat changes nothing')
    const listed = (await ledgerJson('org', 'list')).json.data
    const row = listed.find((one: { id: string }) => one.id === id)
    t.match(row, { plan: 'default', suspended_at: /Z$/ })
    t.equal((await ledger('org', 'suspend', '--org', id, '--end')).code, 0)
    const types = async (owner: string) =>
      (await store.readStream(auditStream(owner))).map((event) => event.type)
    t.same(await types('platform'), ['PlanCreated', 'PlanChanged'])
    t.same((await types(id)).slice(2), [
      'OrganizationPlanChanged',
      'OrganizationSuspended',
      'OrganizationResumed',
    ])
  },
)

t.test('key create, list, roll and revoke work, and the list never shows the secret', async (t) => {
  const org = (await ledgerJson('org', 'create', '--name', 'K')).json.organization.id
  const expires = '2999-01-31T00:00:00Z'
  const made = await ledgerJson(
    ...['key', 'create', '--org', org, '--mode', 'live', '--expires', expires],
    ...['--scopes', 'shipments:read, operations:review'],
  )
  t.match(made.json, { livemode: true, scopes: ['shipments:read', 'operations:review'] })
  t.match(made.json.key, /^svc_live_\w{49}$/)
  const listed = await ledger('key', 'list', '--org', org)
  t.match(listed.out, made.json.id)
  t.notMatch(listed.out, /svc_/)
  t.match(await ledger('key', 'revoke', made.json.id), { code: 0 })
  const { json } = await ledgerJson('key', 'list', '--org', org)
  const row = json.data.find((key: { id: string }) => key.id === made.json.id)
  t.match(row, { expires_at: '2999-01-31T00:00:00.000Z', revoked_at: /Z$/ })
  t.match(row, { name: null, role: 'custom', from_sign_in: false, replaced_by_key_id: null })
  const named = ['--org', org, '--mode', 'test', '--name', 'Web shop', '--role', 'integration']
  t.match((await ledgerJson('key', 'create', ...named)).json, {
    name: 'Web shop',
    role: 'integration',
    scopes: scopesOfRole('integration'),
  })
  t.match((await ledger('key', 'list', '--org', org)).out, /Web shop +integration/)
  const old = (await ledgerJson('key', 'create', ...named)).json
  const next = (await ledgerJson('key', 'roll', old.id, '--overlap', '1')).json
  t.match(next, { key: /^svc_test_/, expires_at: null, replaces: { id: old.id } })
  const again = await ledger('key', 'roll', old.id)
  t.match([again.code, again.errors], [1, /was rolled already\.$/m])
  t.equal((await ledger('key', 'roll', next.id, '--overlap', '169')).code, 64)
})

const unknownOrganization = `org_${'z'.repeat(22)}`
const failures: readonly (readonly [number, RegExp, readonly string[]])[] = [
  [
    1,
    /^There is no organization org_z{22}\.$/,
    ['key', 'create', '--org', unknownOrganization, '--mode', 'test'],
  ],
  [
    64,
    /^An organization must be given by its id \(org_…\)\. Usage: key create/,
    ['key', 'create', '--org', 'org_none', '--mode', 'test'],
  ],
  [1, /^There is no key key_a{22}\.$/, ['key', 'revoke', `key_${'a'.repeat(22)}`]],
  [1, /^There is already a plan default\.$/, ['plan', 'create', '--name', 'default']],
  [1, /^There is no plan none\.$/, ['plan', 'update', 'none', '--requests', '1']],
  [1, /^There is no plan none\.$/, ['org', 'create', '--name', 'n', '--plan', 'none']],
  [
    1,
    /^There is no organization org_z+\.$/,
    ['org', 'set-plan', '--org', unknownOrganization, '--plan', 'default'],
  ],
  [1, /^There is no organization org_z+\.$/, ['org', 'suspend', '--org', unknownOrganization]],
  [
    64,
    /^--scopes is for custom keys/,
    [
      ...['key', 'create', '--org', unknownOrganization, '--mode', 'test'],
      ...['--role', 'clerk', '--scopes', 'shipments:read'],
    ],
  ],
  [
    64,
    /^A custom key needs --scopes/,
    ['key', 'create', '--org', unknownOrganization, '--mode', 'test', '--role', 'custom'],
  ],
  [64, /^--name must be 1 to 40/, ['plan', 'create', '--name', 'Big Plan']],
  [64, /^--requests must be a whole number/, ['plan', 'update', 'default', '--requests', '0']],
  [64, /^No limit is given\.$/, ['plan', 'update', 'default']],
  [1, /^There is no operation /, ['operations', 'show', unknownOperation]],
  [1, /^The operation was already resolved/, ['operations', 'look', settledId, '--as', operatorId]],
  [64, /^--as is missing\. Name the operator/, ['operations', 'look', operationId]],
  [64, /^An operator must be given by its id/, ['operations', 'look', operationId, '--as', 'ana']],
  [1, /^There is no shipment /, ['replay', `shp_${'a'.repeat(22)}`]],
  [64, /^There is no projection "x"/, ['projections', 'rebuild', 'x']],
  [64, /^The outbox cannot be rebuilt/, ['projections', 'rebuild', 'outbox']],
  [64, /^There is no command "fly"/, ['fly']],
  [64, /^--name is missing\. Usage: org create --name NAME/, ['org', 'create']],
  [
    64,
    /^--type must be one of external, internal, platform\./,
    ['org', 'create', '--name', 'n', '--type', 'x'],
  ],
  [64, /Unknown option '--nme'/, ['org', 'create', '--nme', 'n']],
  [64, /^"extra" is an unexpected argument\./, ['org', 'list', 'extra']],
  [64, /^--name is empty\./, ['org', 'create', '--name', ' ']],
  [
    64,
    /^--expires is in the past/,
    ['key', 'create', '--org', unknownOrganization, '--mode', 'test', '--expires', '2001-01-01'],
  ],
  [
    64,
    /^"fly" is not a scope/,
    ['key', 'create', '--org', unknownOrganization, '--mode', 'test', '--scopes', 'fly'],
  ],
  [64, /^<operation id> is missing/, ['operations', 'show']],
  [64, /^An operation must be given by its id/, ['operations', 'show', 'op_1']],
  [
    64,
    /^--guide-number is required/,
    ['operations', 'resolve', operationId, '--decision', 'guide_exists', '--note', 'n'],
  ],
  [
    64,
    /^--code must be 1 to 64 characters of/,
    ['courier', 'add', '--code', 'A B', '--url', 'https://c.example'],
  ],
  [
    64,
    /^mock is the simulated/,
    ['courier', 'add', '--code', 'mock', '--url', 'https://c.example'],
  ],
  [64, /^--url must be an https/, ['courier', 'add', '--code', 'one', '--url', 'http://c.example']],
  [
    64,
    /^--url must not have a user name/,
    ['courier', 'add', '--code', 'one', '--url', 'https://a:b@c.example'],
  ],
  [
    2,
    /^No connector answers at http:\/\/127.0.0.1:1\/ \(ECONNREFUSED\)\.$/,
    ['courier', 'add', '--code', 'one', '--url', 'http://127.0.0.1:1'],
  ],
  [
    2,
    /^No connector answers at http:\/\/127.0.0.1:1 \(ECONNREFUSED\)\.$/,
    ['courier', 'check', '--url', 'http://127.0.0.1:1'],
  ],
  [2, /^none\.ndjson cannot be read\.$/, ['verify', '--file', 'none.ndjson']],
  [2, /^none\.txt cannot be read\.$/, ['verify', '--checkpoint', 'none.txt']],
  [2, /^none\.txt cannot be read\.$/, ['export', '--out', 'x', '--checkpoint', 'none.txt']],
  [64, /^--checkpoint is empty/, ['verify', '--checkpoint', 'a', '--checkpoint', '']],
  [64, /^--consistency needs --file and --checkpoint/, ['verify', '--consistency', 'a']],
  [64, /^--consistency needs --file/, ['verify', '--file', 'a', '--consistency', 'a']],
  [64, /^--key must be a key as shown by/, ['verify', '--key', 'a']],
  [64, /^--key can be given only once/, ['verify', '--file', 'a', '--key', 'a', '--key=a']],
  [2, /^none\.ndjson cannot be read\.$/, ['erase', '--from', 'none.ndjson', '--as', operatorId]],
  [
    2,
    /^The folder of nowhere\/x\.ndjson does not exist\.$/,
    ['export', '--out', 'nowhere/x.ndjson'],
  ],
  [64, /^Give either --org or --platform/, ['audit', 'list']],
  [64, /^An organization must be given by/, ['audit', 'list', '--org', 'me']],
  [64, /^--from must be a whole number/, ['audit', 'list', '--platform', '--from', 'x']],
  [1, /^There is no organization org_z+\.$/, ['audit', 'list', '--org', unknownOrganization]],
  [
    64,
    /^--shipments must be a whole number from 0/,
    ['plan', 'create', '--name', 'p', '--shipments', '-1'],
  ],
  [
    64,
    /^--name needs a value. Write one that begins with a hyphen as --name=VALUE/,
    ['plan', 'create', '--name', '-x'],
  ],
  [64, /^--name needs a value/, ['plan', 'create', '--name']],
  [64, /^--limit must be a whole number/, ['operations', 'list', '--limit', '0.5']],
  [64, /^A delivery must be given by its id/, ['deliveries', 'redeliver', 'dlv_1']],
  [1, /^There is no delivery dlv_a{22}\.$/, ['deliveries', 'redeliver', `dlv_${'a'.repeat(22)}`]],
  [64, /^--state must be one of pending/, ['deliveries', 'list', '--state', 'lost']],
  [64, /^--limit must be a whole number/, ['deliveries', 'list', '--limit', '1001']],
  [64, /^--as-of must be/, ['replay', `shp_${'a'.repeat(22)}`, '--as-of', 'yesterday']],
  [64, /^--as-of must be/, ['replay', `shp_${'a'.repeat(22)}`, '--as-of', '2026-02-30T00:00:00Z']],
  [64, /^--as-of must be/, ['replay', `shp_${'a'.repeat(22)}`, '--as-of', '2026-11-22 10:00']],
  [64, /^--name contains control characters/, ['org', 'create', '--name', 'a\u001b[31m']],
  [
    64,
    /^The request is not valid\. decision: This operation is a \w+\.$/,
    [
      'operations',
      'resolve',
      operationId,
      '--decision',
      'cancelled',
      '--note',
      'n',
      '--as',
      operatorId,
    ],
  ],
  [
    1,
    /^The courier has no such guide under our reference\.$/,
    [
      ...['operations', 'resolve', doubledId, '--decision', 'guide_exists'],
      ...['--guide-number', 'G-0', '--note', 'n', '--as', operatorId],
    ],
  ],
]
for (const [code, sentence, args] of failures) {
  t.test(`the command line "${args.join(' ')}" fails with one line and code ${code}`, async (t) => {
    const answer = await ledger(...args)
    t.equal(answer.code, code)
    t.match(answer.errors, sentence)
    t.notMatch(answer.errors, /\n/)
    t.equal(answer.out, '')
  })
}

t.test('an operation is shown with a line for each entry of a list', async (t) => {
  const { json } = await ledgerJson('operations', 'show', operationId)
  const { out } = await ledger('operations', 'show', operationId)
  const lines = out.split('\n')
  const width = lines[0]?.indexOf(operationId) ?? 0
  const at = lines.findIndex((line) => line.startsWith('looks '))
  t.ok(json.looks.length > 1)
  t.same(
    lines.slice(at, at + json.looks.length),
    json.looks.map(
      (look: object, index: number) =>
        (index === 0 ? 'looks' : '').padEnd(width) + JSON.stringify(look),
    ),
  )
})

t.test("the system's user is named in plain characters, and not at all if unknown", async (t) => {
  t.equal(
    systemUser(() => 'ana.torres'),
    'ana.torres',
  )
  t.equal(
    systemUser(() => 'CORP\\Ana \u001b[31m Ñ'),
    'CORP_Ana___31m__',
  )
  t.equal(systemUser(() => 'x'.repeat(100))?.length, 32)
  t.equal(
    systemUser(() => ''),
    null,
  )
  const unknown = () => {
    throw new Error('no such user')
  }
  t.equal(systemUser(unknown), null)
})

t.test('operations are listed and resolved with the given flags', async (t) => {
  t.ok(await projectionsReached(db, await store.head(), 60_000))
  const { json } = await ledgerJson('operations', 'list', '--status', 'needs_review')
  t.match(json.data, [
    { id: operationId, status: 'needs_review' },
    { id: doubledId, status: 'needs_review' },
  ])
  const flags = ['--decision', 'nothing_created', '--note', 'asked them', '--as', operatorId]
  const resolved = await ledgerJson('operations', 'resolve', operationId, ...flags)
  t.match(resolved.json, { id: operationId, resolution: { decision: 'nothing_created' } })
})

t.test(
  'a dead delivery is listed and redelivered, and its owner sees that in the audit',
  async (t) => {
    const org = (await ledgerJson('org', 'create', '--name', 'Dead letters')).json.organization.id
    const value = 'd'.repeat(22)
    const now = new Date()
    const place = { organization_id: org, workspace_id: `ws_${value}`, livemode: true }
    const times = { created_at: now, updated_at: now }
    await db
      .insertInto('workspaces')
      .values({
        id: place.workspace_id,
        organization_id: org,
        livemode: true,
        name: 'Shop',
        external_reference: 'shop',
        ...times,
      })
      .execute()
    const endpoint = {
      id: `whe_${value}`,
      url: 'https://receiver.example',
      event_types: ['label.*'],
    }
    await db
      .insertInto('webhook_endpoints')
      .values({ ...place, ...endpoint, ...times, status: 'disabled', secret: Buffer.alloc(1) })
      .execute()
    const event = { id: `evt_${value}`, type: 'label.ready', body: '{}', created_at: now }
    await db
      .insertInto('webhook_events')
      .values({ ...place, ...event })
      .execute()
    const id = `dlv_${value}`
    const attempt = { at: now.toISOString(), status_code: null, latency_ms: 9, error: 'dns' }
    await db
      .insertInto('webhook_deliveries')
      .values({
        ...place,
        ...times,
        id,
        event_id: event.id,
        endpoint_id: endpoint.id,
        event_type: event.type,
        state: 'dead',
        dead_reason: 'attempts_exhausted',
        attempts: JSON.stringify([{ ...attempt, excerpt: 'sealed' }]),
      })
      .execute()
    const { out } = await ledger('deliveries', 'list', '--org', org, '--state', 'dead')
    t.match(out, /^ID +EVENT .*\ndlv_d+ +label\.ready +whe_d+ +dead +1 +dns +- /s)
    const { json } = await ledgerJson('deliveries', 'list', '--endpoint', endpoint.id)
    t.equal(json.data.length, 1)
    t.notMatch(JSON.stringify(json), 'sealed')
    const off = await ledger('deliveries', 'redeliver', id)
    t.match(off, { code: 1, errors: 'Its endpoint is disabled. The owner can enable it.' })
    await db
      .updateTable('webhook_endpoints')
      .set({ status: 'enabled' })
      .where('id', '=', endpoint.id)
      .execute()
    const sent = await ledgerJson('deliveries', 'redeliver', id)
    t.match(sent.json, { id, state: 'pending', dead_reason: null })
    const delivery = db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id)
    t.match(await delivery.executeTakeFirst(), { at_once: true }, 'whatever the breaker says')
    const acts = (await store.readStream(auditStream(org))).filter(
      ({ type }) => type === 'WebhookRedelivered',
    )
    t.match(acts, [{ data: { webhook_delivery_id: id } }])
  },
)

t.test('every command has help for each of its flags and is listed in the overview', async (t) => {
  const { code, out } = await ledger('--help')
  t.equal(code, 0)
  for (const command of commands) {
    t.match(out, command.name)
    const help = await ledger(...command.name.split(' '), '--help')
    t.equal(help.code, 0)
    for (const flag of Object.keys(command.flags)) t.match(help.out, `--${flag}`)
    t.ok(command.examples.length > 0, command.name)
    for (const example of command.examples) {
      t.match(help.out, example)
      t.ok(example.startsWith(command.name), example)
    }
  }
  t.equal((await ledger()).code, 64)
  const others = clientCommands.map(({ name }) => name.split(' ')[0])
  t.match(out, `(${[...new Set(others)].join(', ')}): npx shipping-ledger`)
})

t.test('help for the first word of commands lists those commands only', async (t) => {
  const { code, out } = await ledger('help', 'courier')
  t.equal(code, 0)
  t.match(out, /courier add .*courier list .*courier check /s)
  t.notMatch(out, /^ {2}org list/m)
  t.equal((await ledger('courier', '--help')).out, out)
  t.match((await ledger('help', 'courier', 'add')).out, '--replace')
  t.match(await ledger('help', 'fly'), { code: 64, errors: /There is no command "fly"/ })
})

const unexpected: readonly (readonly [string, Error])[] = [
  [
    "It failed: Error (ECONNREFUSED). The service's log may have details.",
    Object.assign(new Error('secret words'), { code: 'ECONNREFUSED' }),
  ],
  [
    'The event store does not answer: check that it is running and that its address is correct.',
    new EventStoreUnavailable('secret words'),
  ],
]
for (const [sentence, error] of unexpected) {
  t.test(`an unexpected ${error.name} prints what is known, never its message`, async (t) => {
    const errors: string[] = []
    const code = await run(['org', 'list'], {
      open: () => Promise.reject(error),
      openLedgers: () => Promise.reject(new Error('none')),
      write: () => undefined,
      writeError: (line) => errors.push(line),
      pathOf: (name) => resolve(name),
      isWatched: false,
      operator: () => undefined,
      systemUser: null,
    })
    t.equal(code, 2)
    t.same(errors, [sentence])
  })
}

t.test('with --json an error is one line of JSON on standard output', async (t) => {
  const cases: readonly (readonly [number, string, RegExp, readonly string[]])[] = [
    [64, 'wrong_usage', /^There is no command "fly"/, ['fly']],
    [64, 'wrong_usage', /^No command was given/, []],
    [64, 'wrong_usage', /^Unknown option '--nme'/, ['org', 'create', '--nme', 'n']],
    [64, 'wrong_usage', /given by its id/, ['org', 'suspend', '--org', 'o']],
    [
      1,
      'refused',
      /^There is no organization org_z+\.$/,
      ['key', 'list', '--org', unknownOrganization],
    ],
    [
      1,
      'operation_already_resolved',
      /^The operation was already resolved/,
      ['operations', 'look', settledId, '--as', operatorId],
    ],
    [2, 'undecided', /^none cannot be read\.$/, ['verify', '--file', 'none']],
  ]
  for (const [exit_code, reason, message, args] of cases) {
    const { code, json } = await ledgerJson(...args)
    t.equal(code, exit_code, args.join(' '))
    t.match(json, { error: { exit_code, reason, message } }, args.join(' '))
  }
})

t.test('the help and the guides list the same exit codes', async (t) => {
  const { out: generalHelp } = await ledger('--help')
  const { out: verifyHelp } = await ledger('verify', '--help')
  for (const guide of ['operating.md', 'audit.md']) {
    const text = readFileSync(join(projectRoot, 'docs/guides', guide), 'utf8')
    const rows = [...text.matchAll(/^\| `(\d+)` \| (.+) \|$/gm)].map(([, ...row]) => row)
    const table = Object.entries(exitCodes).map(([exit, code]) => [
      String(code),
      exitMeanings[exit as Exit],
    ])
    t.same(rows, table, guide)
    for (const [code = '', meaning = ''] of table) {
      for (const help of [generalHelp, verifyHelp])
        t.ok(help.includes(`  ${code.padEnd(4)}${meaning}`))
    }
  }
})

t.test('each command closes what it opened', async (t) => {
  const before = closed
  await ledger('org', 'list')
  await ledger('operations', 'look', settledId, '--as', operatorId)
  await ledger('org', 'create')
  t.equal(closed - before, 2)
})

t.test("courier add stores the connector's own description and seals the token", async (t) => {
  const asked: (string | undefined)[] = []
  const can = {
    find: true,
    cancel: false,
    tracking: true,
    label: true,
    quote: false,
    invoices: false,
  }
  const description = { protocol: protocolVersion, name: 'Some courier', capabilities: can }
  const server = createServer((request, reply) => {
    asked.push(request.headers.authorization)
    reply.setHeader('content-type', 'application/json').end(JSON.stringify(description))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const at = ['--url', `http://127.0.0.1:${port}`]
  const nothingThere = await ledger('courier', 'add', '--code', 'some', ...at, '--replace')
  t.match(nothingThere, { code: 1, errors: 'There is no courier some to replace.' })
  t.equal(await db.selectFrom('couriers').selectAll().executeTakeFirst(), undefined)
  asked.length = 0
  const token = 'canary-token'
  const { json } = await ledgerJson('courier', 'add', '--code', 'some', ...at, '--token', token)
  t.match(json, { provider_code: 'some', display_name: 'Some courier', capabilities: can })
  t.same(asked, [`Bearer ${token}`])
  t.match(await ledger('courier', 'add', '--code', 'some', ...at), {
    code: 1,
    errors: 'some is already registered. Use --replace to replace it.',
  })
  const row = await db.selectFrom('couriers').selectAll().executeTakeFirstOrThrow()
  t.notOk(row.token?.includes(token))
  t.equal(openConnectorToken(master, 'some', row.token ?? Buffer.alloc(0)), token)
  t.throws(() => openConnectorToken(master, 'other', row.token ?? Buffer.alloc(0)), SealBroken)
  await ledger('courier', 'add', '--code', 'some', ...at, '--name', 'Other', '--replace')
  const listed = await ledgerJson('courier', 'list')
  t.match(listed.json.data, [{ provider_code: 'some', display_name: 'Other', has_token: false }])
  t.notMatch(JSON.stringify(listed.json), token)
  const acts = await ledgerJson('audit', 'list', '--platform')
  const added = acts.json.data.find(({ type }: { type: string }) => type === 'CourierRegistered')
  t.match(added, { data: { provider_code: 'some' }, actor: { type: 'cli' } })
  const from = String(added.revision)
  const page = await ledgerJson('audit', 'list', '--platform', '--from', from, '--limit', '1')
  t.match(page.json, { data: [{ type: 'CourierRegistered' }], next_from: added.revision + 1 })
  const rest = await ledger('audit', 'list', '--platform', '--from', String(page.json.next_from))
  t.match(rest.out, /CourierReplaced +cli/)
})

t.test('progress is reported once a second, with rate and remaining work', async (t) => {
  const lines: string[] = []
  let now = 0
  const head = positionOf(1_000)
  const report = progress({ what: 'x', head, write: (line) => lines.push(line), now: () => now })
  for (let at = 0; at <= 500; at += 100) {
    now += 400
    report(positionOf(at), 50)
  }
  t.same(lines, [
    'x: 150 of about 750 events (20 %), 125/s, 5 s left',
    'x: 300 of about 600 events (50 %), 125/s, 3 s left',
  ])
})

t.test('courier check fails for a server that is not a connector', async (t) => {
  const server = createServer((_request, reply) => reply.writeHead(404).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const { code, json } = await ledgerJson('courier', 'check', '--url', `http://127.0.0.1:${port}`)
  t.equal(code, 1)
  t.ok(json.failed > 0)
})

t.test('courier check says once that the connector refuses the token', async (t) => {
  const server = createServer((_request, reply) => reply.writeHead(403).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const check = ['courier', 'check', '--url', `http://127.0.0.1:${port}`]
  const wrong = await ledger(...check, '--token', 'wrong')
  t.match(wrong, { code: 2, out: '', errors: /refuses this token \(403\)/ })
  t.match(await ledger(...check), { code: 2, errors: /needs a token \(403\)/ })
})
