import t from 'tap'
import { bannerOf } from '../src/service/banner.ts'
import { configurationPage, readConfig } from '../src/service/config.ts'
import { keyText } from '../src/service/domain/ledger/note-key.ts'
import { publicUrlWarning } from '../src/service/url-at.ts'

const aKey = Buffer.alloc(32, 7).toString('base64')

t.test('with no variables set, the configuration is the embedded default', async (t) => {
  t.match(readConfig({}), {
    port: 3000,
    host: '127.0.0.1',
    metricsPort: 9464,
    databaseUrl: undefined,
    secretsKeyPrevious: [],
    webhookAllowPrivate: 'auto',
    logLevel: 'info',
  })
  t.same([...readConfig({}).roles], ['api', 'projector', 'worker', 'simulator'])
})

t.test('an empty variable counts as unset, and spaces around a value are ignored', async (t) => {
  const config = readConfig({ PORT: '', ROLES: ' worker , api ', EVENT_STORE_URL: '' })
  t.equal(config.port, 3000)
  t.same([...config.roles], ['worker', 'api'])
})

t.test('the event store is named by its old name or its new one, and by no other', async (t) => {
  for (const scheme of ['esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover']) {
    const url = `${scheme}://user:password@a:2113,b:2113?tls=false`
    t.equal(readConfig({ EVENT_STORE_URL: url }).eventStoreUrl, url)
  }
  for (const wrong of [
    'kurrentdb',
    'kurrentdb:',
    'kurrentdb://',
    'kurrentdb+srv://a',
    'kurrent://a',
  ]) {
    t.throws(
      () => readConfig({ EVENT_STORE_URL: wrong }),
      /^EVENT_STORE_URL is not valid: it must be an address like esdb:.* or kurrentdb:/,
      wrong,
    )
  }
})

t.test('the delay before a stop is in seconds, and only where there is an API', async (t) => {
  for (const [given, expectedMs] of [
    [{}, 0],
    [{ SHUTDOWN_DELAY: '10s' }, 10_000],
    [{ SHUTDOWN_DELAY: '10' }, 10_000],
    [{ SHUTDOWN_DELAY: '300' }, 300_000],
    [{ SHUTDOWN_DELAY: '10s', ROLES: 'projector,worker' }, 0],
  ] as const) {
    t.equal(readConfig(given).shutdownDelayMs, expectedMs)
  }
  for (const SHUTDOWN_DELAY of ['301', '-1', '1.5s', '10 s', '10ms']) {
    t.throws(() => readConfig({ SHUTDOWN_DELAY }), /^SHUTDOWN_DELAY is not valid: it must be whole/)
  }
})

t.test('each invalid variable is reported in one sentence, without its value', async (t) => {
  const wrong = {
    PORT: '70000',
    METRICS_PORT: '-1',
    ROLES: 'api,chief',
    DATABASE_URL: 'mysql://someone:hunter2@host/d',
    EVENT_STORE_URL: 'http://admin:hunter2@host',
    SECRETS_KEY: 'hunter2',
    SECRETS_KEY_PREVIOUS: `${aKey},hunter2`,
    API_KEY_PEPPER: Buffer.alloc(31).toString('base64'),
    CHECKPOINT_KEY: `${aKey.slice(0, 10)}!${aKey.slice(10)}`,
    WEBHOOK_ALLOW_PRIVATE: 'yes',
    SHUTDOWN_DELAY: '5m',
    LOG_LEVEL: 'loud',
    TRUSTED_PROXIES: '10.0.0.0/33',
    WITNESSES: 'auditor.example+01020304+hunter2=https://witness.example',
  }
  let message = ''
  try {
    readConfig(wrong)
  } catch (error) {
    message = (error as Error).message
    t.equal((error as Error).name, 'StartError')
  }
  const sentences = message.split('\n')
  t.equal(sentences.length, Object.keys(wrong).length)
  for (const name of Object.keys(wrong)) {
    t.ok(sentences.some((one) => one.startsWith(`${name} is not valid: it must be `)))
  }
  for (const value of ['hunter2', 'someone', '70000', aKey]) t.notMatch(message, value)
  t.match(message, 'esdb://127.0.0.1:2113?tls=false')
  t.match(message, '`openssl rand -base64 32`')
})

t.test('witnesses are named by their keys and addresses', async (t) => {
  const [one = '', two = ''] = ['auditor.example/w1', 'bank.example'].map((name) =>
    keyText('cosignature', { name, publicKey: Buffer.alloc(32, name.length) }),
  )
  const { witnesses } = readConfig({
    WITNESSES: `${one}=https://witness.example/a/, ${two}=http://127.0.0.1:8080`,
  })
  t.match(witnesses, [
    { name: 'auditor.example/w1', url: 'https://witness.example/a' },
    { name: 'bank.example', url: 'http://127.0.0.1:8080' },
  ])
  t.same(witnesses[0]?.publicKey, Buffer.alloc(32, 18))
  t.same(readConfig({}).witnesses, [])
  const note = keyText('note', { name: 'auditor.example', publicKey: Buffer.alloc(32) })
  for (const wrong of [
    one,
    `${one}=`,
    `${one}=ftp://witness.example`,
    `${one}=https://user:hunter2@witness.example`,
    `${one}=https://witness.example?a=b`,
    `${one}=https://a.example ${one}=https://b.example`,
    `${note}=https://witness.example`,
    `${one.replace('w1', 'w2')}=https://witness.example`,
    `https://witness.example=${one}`,
  ]) {
    t.throws(() => readConfig({ WITNESSES: wrong }), /^WITNESSES is not valid: it must be /, wrong)
  }
})

t.test(
  'variables that contradict each other are refused with a sentence naming them',
  async (t) => {
    t.throws(() => readConfig({ PORT: '4000', METRICS_PORT: '4000' }), {
      message: /PORT and METRICS_PORT are the same/,
    })
    t.throws(() => readConfig({ DATABASE_ADMIN_URL: 'postgres://a@b/c' }), {
      message: /DATABASE_ADMIN_URL is set and DATABASE_URL is not/,
    })
    t.equal(readConfig({ PORT: '0', METRICS_PORT: '0' }).port, 0)
  },
)

t.test(
  'the configuration page lists the variables and shows no path of this machine',
  async (t) => {
    const page = configurationPage()
    for (const name of [
      'PORT',
      'DATA_DIR',
      'SECRETS_KEY_PREVIOUS',
      'CHECKPOINT_DIR',
      'LOG_LEVEL',
    ]) {
      t.match(page, `| \`${name}\` |`)
    }
    t.match(page, '| `./.data` |')
    t.notMatch(page, process.cwd())
  },
)

t.test('signing in needs an issuer, a registration and an address, all of them safe', async (t) => {
  const whole = {
    OIDC_ISSUER: 'https://login.example/tenant/',
    OIDC_CLIENT_ID: 'ledger',
    OIDC_CLIENT_SECRET: 'secret',
    PUBLIC_URL: 'https://shipping.example/',
  }
  t.same(readConfig(whole).signIn, {
    issuer: 'https://login.example/tenant/',
    clientId: 'ledger',
    clientSecret: 'secret',
    publicUrl: 'https://shipping.example',
    roleClaim: null,
  })
  t.equal(readConfig({ ...whole, OIDC_ROLE_CLAIM: 'roles' }).signIn?.roleClaim, 'roles')
  t.equal(readConfig({ PUBLIC_URL: whole.PUBLIC_URL }).signIn, undefined)
  for (const name of Object.keys(whole)) {
    const message = new RegExp(`^${name} is not set: signing in`)
    t.throws(() => readConfig({ ...whole, [name]: '' }), message)
  }
  for (const local of ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000']) {
    t.equal(readConfig({ ...whole, PUBLIC_URL: local }).signIn?.publicUrl, local)
  }
  const unsafe = ['http://shipping.example', 'https://a:b@shipping.example', 'https://a.example?b']
  for (const address of unsafe) {
    t.throws(() => readConfig({ ...whole, PUBLIC_URL: address }), /^PUBLIC_URL is not valid/)
    t.throws(() => readConfig({ ...whole, OIDC_ISSUER: address }), /^OIDC_ISSUER is not valid/)
  }
  t.throws(() => readConfig({ ...whole, PUBLIC_URL: 'https://a.example/b' }), /^PUBLIC_URL is not/)
})

t.test('traces are on with the address of a collector, and never tell its headers', async (t) => {
  t.equal(readConfig({ OTEL_SERVICE_NAME: 'shipping' }).traces, undefined)
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' }
  t.strictSame(readConfig({ ...collector, ROLES: 'worker' }).traces, {
    endpoint: 'http://127.0.0.1:4318',
    headers: {},
    serviceName: 'shipping-ledger',
    sampler: 'parentbased_always_on',
    ratio: 1,
    roles: new Set(['worker']),
  })
  const chosen = readConfig({
    ...collector,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20secret, x-tenant=1',
    OTEL_SERVICE_NAME: 'shipping',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  })
  t.match(chosen.traces, {
    headers: { 'api-key': 'a secret', 'x-tenant': '1' },
    serviceName: 'shipping',
    sampler: 'traceidratio',
    ratio: 0.25,
  })
  for (const [name, wrong] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'a-secret:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a-secret'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'key=%a-secret'],
    ['OTEL_TRACES_SAMPLER', 'a-secret'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ] as const) {
    const refused = () => readConfig({ ...collector, [name]: wrong })
    t.throws(refused, new RegExp(`^${name} is not valid`))
    t.throws(refused, /^((?!a-secret).)*$/, 'without its value')
  }
})

t.test(
  'links that only this machine reaches are warned of in the log and the banner',
  async (t) => {
    const warned = (environment: NodeJS.ProcessEnv) => publicUrlWarning(readConfig(environment))
    const warning = warned({ HOST: '0.0.0.0' })
    t.match(warning, /^PUBLIC_URL is not set/)
    t.ok(warned({ HOST: '::' }))
    t.ok(warned({ HOST: 'shop.internal', ROLES: 'worker' }))
    t.equal(warned({ HOST: '0.0.0.0', PUBLIC_URL: 'https://shipping.example' }), null)
    t.equal(warned({ HOST: '0.0.0.0', ROLES: 'simulator' }), null, 'it makes no links')
    for (const HOST of ['', '127.0.0.1', '127.0.1.1', '::1', 'localhost']) {
      t.equal(warned({ HOST }), null, HOST)
    }
    t.match(bannerOf('http://127.0.0.1:3000', null, warning), `\nWarning: ${warning}\n`)
    t.notMatch(bannerOf('http://127.0.0.1:3000', null, null), 'Warning')
  },
)
