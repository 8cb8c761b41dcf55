import { createHash, randomBytes } from 'node:crypto'
import t from 'tap'
import { auditStream, platform } from '../../../src/service/domain/ids.ts'
import { freePort } from '../../../src/service/embedded-postgres/postmaster.ts'
import { createApiKey } from '../../../src/service/security/api-keys.ts'
import { createOperator, disableOperator } from '../../../src/service/security/operators.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { scopesOfRole } from '../../../src/service/security/scopes.ts'
import { eventually } from '../../support/eventually.ts'
import { service } from '../../support/service.ts'
import { signInAt, testIssuer } from './test-issuer.ts'

const by = { actor: { type: 'cli', keyId: null }, requestId: null } as const
const port = await freePort()
const publicUrl = `http://127.0.0.1:${port}`
const issuer = await testIssuer(t, publicUrl, { roleClaim: 'desk.role' })
const shop = await service(t, { port, signIn: issuer.settings, pagesFolder: '/none' })
const { organizationId } = shop.seeded
const { accounts } = issuer

const verified = (email: string, role?: string) => ({
  email,
  email_verified: true,
  ...(role === undefined ? {} : { desk: { role } }),
})

async function anOperator(email: string, more: { organizationId?: string; subject?: string } = {}) {
  return await createOperator(shop.parts, { organizationId, name: 'Ana', email, ...more }, by)
}

const inBase64 = (bytes: Buffer) => bytes.toString('base64url')
const aVerifier = () => inBase64(randomBytes(32))
const challengeOf = (verifier: string) => inBase64(createHash('sha256').update(verifier).digest())

/** Where the service sends a browser. */
async function redirected(path: string): Promise<URL> {
  const answer = await fetch(new URL(path, publicUrl), { redirect: 'manual' })
  t.equal(answer.status, 303, `${answer.status} for ${path.slice(0, 60)}`)
  t.equal(answer.headers.get('set-cookie'), null, 'there is no cookie')
  t.equal(answer.headers.get('cache-control'), 'no-store')
  return new URL(answer.headers.get('location') ?? '', publicUrl)
}

const startOf = (verifier: string, more = '&mode=test') =>
  redirected(`/console/sign-in/start?challenge=${challengeOf(verifier)}${more}`)

/** The fragment with which the callback leads to the console. */
async function arrival(login: string, verifier: string, more?: string): Promise<string> {
  const start = await startOf(verifier, more)
  const { hash, pathname } = await redirected(await signInAt(start.href, login, publicUrl))
  t.equal(pathname, '/console')
  return hash
}

type Redeemed = { readonly key: string; readonly choices: readonly object[] }

async function redeem(body: object) {
  const answer = await fetch(`${publicUrl}/console/sign-in/key`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Redeemed }
}

const codeOf = (hash: string) => hash.replace('#sign-in=', '')

async function signedIn(login: string, more?: string) {
  const verifier = aVerifier()
  const code = codeOf(await arrival(login, verifier, more))
  const { body } = await redeem({ code, verifier })
  return body.key
}

const acts = async (type: string, owner = organizationId) =>
  (await shop.parts.store.readStream(auditStream(owner))).filter((event) => event.type === type)

t.test('an operator with a verified e-mail address gets a key of the own role', async (t) => {
  const operator = await anOperator('Ana@Shop.example')
  accounts.set('ana', verified('ana@shop.EXAMPLE', 'accountant'))
  const startedMs = Date.now()
  const key = await signedIn('ana')
  t.match(key, /^svc_test_/)
  const { body } = await shop.call('/v1/key', { key })
  t.match(body, {
    operator_id: operator.id,
    role: 'accountant',
    name: 'Console sign-in',
    scopes: scopesOfRole('accountant'),
    from_sign_in: true,
    workspace_id: null,
    created_by_operator_id: operator.id,
  })
  const hoursMs = 8 * 3_600_000
  const endsMs = Date.parse(body.expires_at)
  t.ok(endsMs >= startedMs + hoursMs && endsMs <= Date.now() + hoursMs)
  const [event] = await acts('OperatorSignedIn')
  t.match(event, {
    data: { operator_id: operator.id, key_id: body.id, role: 'accountant' },
    metadata: { actor: { type: 'operator', operator_id: operator.id, key_id: null } },
  })
  t.match(await signedIn('ana', '&mode=live'), /^svc_live_/)

  const rolled = await shop.call(`/v1/keys/${body.id}/roll`, {
    key: shop.seeded.operatorKey,
    body: {},
  })
  t.equal(rolled.body.reason, 'key_not_rollable', 'a sign-in is not prolonged')
  const left = await shop.call(`/v1/keys/${body.id}`, { method: 'DELETE', key })
  t.equal(left.status, 200, 'a key ends itself without keys:write')
  await eventually(
    () => shop.call('/v1/key', { key }),
    ({ status }) => status === 401,
  )
})

t.test('the issuer is asked with PKCE and, if wished, for the account again', async (t) => {
  const { origin, searchParams } = await startOf(aVerifier())
  t.equal(origin, issuer.settings.issuer)
  t.match(Object.fromEntries(searchParams), {
    response_type: 'code',
    redirect_uri: `${publicUrl}/console/sign-in/callback`,
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    code_challenge: /^[\w-]{43}$/,
    nonce: /^[\w-]{43}$/,
  })
  t.equal(searchParams.get('prompt'), null)
  const again = await startOf(aVerifier(), '&mode=test&again=1')
  t.equal(again.searchParams.get('prompt'), 'login')
  for (const query of ['', '?challenge=x&mode=test', `?challenge=${aVerifier()}&mode=demo`]) {
    t.equal((await redirected(`/console/sign-in/start${query}`)).href, `${publicUrl}/console`)
  }
})

t.test('a code works once, in the tab that began, for a minute', async (t) => {
  await anOperator('eva@shop.example')
  accounts.set('eva', verified('eva@shop.example', 'clerk'))
  const verifier = aVerifier()
  const code = codeOf(await arrival('eva', verifier))
  const answers = await Promise.all([redeem({ code, verifier }), redeem({ code, verifier })])
  t.same(answers.map(({ status }) => status).toSorted(), [201, 401])

  const other = codeOf(await arrival('eva', verifier))
  t.equal((await redeem({ code: other, verifier: aVerifier() })).status, 401)
  t.equal((await redeem({ code: other, verifier })).status, 401, 'a wrong try used it up')

  const late = codeOf(await arrival('eva', verifier))
  const { rows } = await shop.parts.pool.query(
    `UPDATE sign_in_codes SET expires_at = expires_at - interval '60 seconds'
     RETURNING expires_at > now() - interval '2 seconds' AS is_recent`,
  )
  t.same(rows, [{ is_recent: true }], 'it lasts for a minute')
  t.equal((await redeem({ code: late, verifier })).status, 401)
  for (const body of [{}, { code }, { code: 'x', verifier }, { code: aVerifier(), verifier }, []]) {
    t.equal((await redeem(body)).status, 401)
  }
})

t.test('a state that was not sealed here, or is changed or old, leads nowhere', async (t) => {
  const verifier = aVerifier()
  const start = await startOf(verifier)
  const callback = new URL(await signInAt(start.href, 'eva', publicUrl))
  const state = callback.searchParams.get('state') ?? ''
  for (const wrong of ['', 'x', `${state.slice(0, -2)}AA`, aVerifier()]) {
    callback.searchParams.set('state', wrong)
    t.equal((await redirected(callback.href)).hash, '#refused=too_late')
  }
  const foreign = (await startOf(aVerifier())).searchParams.get('state') ?? ''
  callback.searchParams.set('state', foreign)
  t.equal(
    (await redirected(callback.href)).hash,
    '#refused=issuer_refused',
    'PKCE and nonce differ',
  )
  callback.searchParams.set('state', state)
  callback.searchParams.set('code', 'x')
  t.equal((await redirected(callback.href)).hash, '#refused=issuer_refused')
  callback.searchParams.set('error', 'access_denied')
  t.equal((await redirected(callback.href)).hash, '#refused=cancelled')
})

t.test('who is no operator, is disabled or has no role is refused, on record', async (t) => {
  accounts.set('nobody', verified('nobody@shop.example', 'admin'))
  t.equal(await arrival('nobody', aVerifier()), '#refused=unknown_account')
  t.match((await acts('SignInRefused', platform)).at(-1)?.data, { reason: 'unknown_account' })

  await anOperator('unsure@shop.example')
  accounts.set('unsure', { email: 'unsure@shop.example', email_verified: false })
  t.equal(await arrival('unsure', aVerifier()), '#refused=email_not_verified')

  const gone = await anOperator('gone@shop.example')
  accounts.set('gone', verified('gone@shop.example', 'operator'))
  const key = await signedIn('gone')
  t.equal((await shop.call('/v1/key', { key })).status, 200)
  await disableOperator(shop.parts, gone, by)
  const disabledAtMs = Date.now()
  await eventually(
    () => shop.call('/v1/key', { key }),
    ({ status }) => status === 401,
  )
  t.ok(Date.now() - disabledAtMs < 5_000)
  t.equal(await arrival('gone', aVerifier()), '#refused=operator_disabled')
  t.match((await acts('SignInRefused')).at(-1)?.data, {
    reason: 'operator_disabled',
    operator_id: gone.id,
  })

  await anOperator('idle@shop.example')
  for (const role of [undefined, 'owner', 'integration', 'custom']) {
    accounts.set('idle', verified('idle@shop.example', role))
    t.equal(await arrival('idle', aVerifier()), '#refused=no_role', String(role))
  }
  accounts.set('idle', { ...verified('idle@shop.example'), desk: { role: ['clerk', 'support'] } })
  const { body } = await shop.call('/v1/key', { key: await signedIn('idle') })
  t.equal(body.role, 'support', 'of several roles the one with the most scopes')
})

t.test('an operator with a subject is known by it and no longer by the address', async (t) => {
  const operator = await anOperator('sub@shop.example', { subject: 'subject-1' })
  accounts.set('impostor', verified('sub@shop.example', 'clerk'))
  t.equal(await arrival('impostor', aVerifier()), '#refused=unknown_account')
  accounts.set('subject-1', { desk: { role: 'clerk' } })
  const { body } = await shop.call('/v1/key', { key: await signedIn('subject-1') })
  t.equal(body.operator_id, operator.id)
  await anOperator('twin@shop.example')
  await anOperator('twin@shop.example')
  accounts.set('twin', verified('twin@shop.example', 'clerk'))
  t.equal(await arrival('twin', aVerifier()), '#refused=unknown_account', 'two people')
  await anOperator('kim@shop.example')
  accounts.set('kelvin', verified('\u212aim@shop.example', 'clerk'))
  t.equal(await arrival('kelvin', aVerifier()), '#refused=unknown_account', 'a letter like a K')
})

t.test('who is an operator of two organizations chooses one', async (t) => {
  const order = { name: 'Another shop', type: 'external' } as const
  const { id: otherId } = await createOrganization(shop.parts, order, by)
  await anOperator('both@shop.example')
  const there = await anOperator('both@shop.example', { organizationId: otherId })
  accounts.set('both', verified('both@shop.example', 'operator'))
  const verifier = aVerifier()
  const code = codeOf(await arrival('both', verifier))
  const { body } = await redeem({ code, verifier })
  t.same(body.choices, [
    { organization_id: otherId, name: 'Another shop' },
    { organization_id: organizationId, name: 'Sandbox shop' },
  ])
  const chosen = await redeem({ code, verifier, organization_id: otherId })
  const { body: own } = await shop.call('/v1/key', { key: chosen.body.key })
  t.match(own, { organization_id: otherId, operator_id: there.id })
  t.equal((await redeem({ code, verifier, organization_id: organizationId })).status, 401)
})

t.test(
  'a key of a sign-in creates lasting keys for programs, and none for its person',
  async (t) => {
    const operator = await anOperator('boss@shop.example')
    accounts.set('boss', verified('boss@shop.example', 'admin'))
    const key = await signedIn('boss')
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const create = (body: object) =>
      shop.call('/v1/keys', { key, body: { scopes: ['shipments:read'], ...body } })
    t.equal((await create({ expires_at: inDays(365) })).status, 201)
    const refused = [
      { expires_at: inDays(367) },
      { expires_at: null },
      { expires_at: inDays(1), operator_id: operator.id },
    ]
    for (const body of refused) {
      t.match((await create(body)).body.errors, [{ reason: 'beyond_own_end' }])
    }
  },
)

t.test('the oldest sign-in of a person ends with the twenty-first', async (t) => {
  await anOperator('busy@shop.example')
  accounts.set('busy', verified('busy@shop.example', 'clerk'))
  const first = await signedIn('busy')
  const { body: own } = await shop.call('/v1/key', { key: first })
  const order = {
    organizationId,
    workspaceId: null,
    livemode: false,
    scopes: [],
    operatorId: own.operator_id,
    fromSignIn: true,
    expiresAt: new Date(own.expires_at),
  }
  for (let n = 1; n < 20; n++) await createApiKey(shop.parts, order, by)
  t.equal((await shop.call('/v1/key', { key: first })).status, 200)
  await signedIn('busy')
  await eventually(
    () => shop.call('/v1/key', { key: first }),
    ({ status }) => status === 401,
  )
})

t.test('while the issuer is away, the console says so, and later everything works', async (t) => {
  const verifier = aVerifier()
  const start = await startOf(verifier)
  const callback = await signInAt(start.href, 'eva', publicUrl)
  await issuer.close()
  t.equal((await redirected(callback)).hash, '#refused=issuer_away')
  t.equal((await startOf(aVerifier())).hash, '#refused=issuer_away')
  await issuer.open()
  t.match((await redirected(callback)).hash, /^#sign-in=/)
})

t.test('no code, token, address or subject is logged, recorded or stored in clear', async (t) => {
  const verifier = aVerifier()
  const start = await startOf(verifier)
  const callback = await signInAt(start.href, 'ana', publicUrl)
  const code = codeOf((await redirected(callback)).hash)
  const { rows } = await shop.parts.pool.query('SELECT * FROM sign_in_codes')
  const { body } = await redeem({ code, verifier })
  const streams = await Promise.all(
    [organizationId, platform].map((owner) => shop.parts.store.readStream(auditStream(owner))),
  )
  const everything = JSON.stringify([streams, shop.logged, rows])
  const { searchParams: given } = new URL(callback)
  const secrets = [code, verifier, given.get('code'), given.get('state'), body.key.slice(9, -4)]
  for (const secret of [...secrets, issuer.settings.clientSecret, 'ana@shop', 'subject-1']) {
    t.ok(secret !== null && secret !== '')
    t.notOk(everything.includes(String(secret)))
  }
})

t.test('one network cannot start without end', async (t) => {
  let hash = ''
  for (let n = 0; n < 500 && hash === ''; n++) ({ hash } = await startOf(aVerifier()))
  t.equal(hash, '#refused=too_many')
})

t.test('without an issuer there is nothing to sign in at', async (t) => {
  const plain = await service(t, { pagesFolder: '/none' })
  const answer = await fetch(`${plain.url}/console/sign-in/key`, { method: 'POST' })
  t.equal(answer.status, 405, 'the path is a page of the console, which is only read')
})
