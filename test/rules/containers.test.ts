import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DCLinter } from 'dclint'
import t from 'tap'
import { z } from 'zod'
import { configurationPage, readConfig } from '../../src/service/config.ts'
import {
  credentialsOf,
  eachNodeOf,
} from '../../src/service/event-store/eventstoredb/eventstoredb-client.ts'
import { drainWithinMs } from '../../src/service/lifecycle.ts'
import { publicUrlWarning } from '../../src/service/url-at.ts'
import {
  composeText,
  createSecrets,
  interpolate,
  readCompose,
  type Service,
  secondsOf,
} from '../support/compose-file.ts'
import { projectRoot, projectTexts } from '../support/source-files.ts'

/**
 * Checks of the containers that need no engine: no image is pulled or built here. That they run is
 * shown by `npm run prove:containers`.
 */

/** The servers with which the event store was tested: the documents name no other versions. */
const testedServers = ['EventStoreDB 23.10.6', 'KurrentDB 26.0.3', 'KurrentDB 26.1.0']
/** One of them, with long-term support. */
const storeImage = 'docker.kurrent.io/kurrent-lts/kurrentdb:26.0.3'
/** The most connections that a process holds: its pool and its listeners. */
const processConnectionsMax = 17
/** Reserved for commands and people. */
const spareConnections = 20

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8')

const compose = readCompose()
const services = Object.entries(compose.services)
const single = services.filter(([, service]) => service.profiles.length === 0)
const cluster = services.filter(([, service]) => service.profiles.includes('cluster'))
/** Whether a service runs once before the others and exits. */
const isOnce = ([, service]: [string, Service]) => service.restart === 'on-failure'
const isPostgres = ([, service]: [string, Service]) =>
  service.image?.startsWith('postgres:') === true
/** Whether it is one of our services and keeps running. */
const isRunning = (one: [string, Service]) => isOurs(one) && !isOnce(one)
const isOurs = ([, service]: [string, Service]) => service.build !== undefined
const isEventStore = ([, service]: [string, Service]) =>
  service.image?.includes('/kurrentdb:') === true
const names = (some: readonly [string, Service][]) => some.map(([name]) => name).sort()

const secrets = createSecrets()
const interpolated = (value: string) => interpolate(value, secrets)

/** Variables without which a container would start anyway, or that are not documented. */
function laxVariables(text: string): readonly string[] {
  return [...text.matchAll(/(?<!\$)\$(\{(\w+)(:\?[^}]+)?[^}]*\}|\w+)/g)]
    .filter(([, , name, rule]) => rule === undefined || !Object.hasOwn(secrets, String(name)))
    .map(([whole]) => whole)
}

const isPinned = (image: string) => /^[a-z0-9./-]+:\d+\.\d+(\.\d+)?(-[a-z0-9.-]+)?$/.test(image)

/** The problems that the linter, which includes the official schema, finds in a Compose file. */
const foundSchema = z.array(
  z.object({ messages: z.array(z.object({ rule: z.string(), message: z.string() })) }),
)

function composeProblems(file: string): readonly string[] {
  // The order of names and the style of quotes are not checked.
  const off = [
    'service-dependencies-alphabetical-order',
    'service-keys-order',
    'services-alphabetical-order',
    'top-level-properties-order',
    'require-quotes-in-ports',
  ]
  const rules = Object.fromEntries(off.map((name) => [name, 0 as const]))
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] })
  const [found] = foundSchema.parse(linter.lintFiles([file], false))
  if (found === undefined) throw new Error(`bug: the linter did not read ${file}`)
  return found.messages.map(({ rule, message }) => `${rule}: ${message}`)
}

t.test('docker-compose.yml fits the schema of Compose files', async (t) => {
  t.same(composeProblems(join(projectRoot, 'docker-compose.yml')), [])
  const wrong = t.testdir({
    'docker-compose.yml': composeText.replace('healthcheck: *api-health', 'healthchek: {}'),
  })
  t.match(composeProblems(join(wrong, 'docker-compose.yml')), [/^invalid-schema: /])
})

/** Why Docker cannot read the file here; undefined if it can. */
const noCompose =
  spawnSync('docker', ['compose', 'version'], { timeout: 20_000 }).status === 0
    ? undefined
    : 'there is no docker compose on this machine'

t.test(
  'docker compose accepts the file with its secrets and refuses it without one',
  { skip: noCompose ?? false },
  async (t) => {
    const config = (...without: string[]) => {
      const { PATH = '', HOME = '' } = process.env
      const given = Object.entries(secrets).filter(([name]) => !without.includes(name))
      const args = ['compose', '--env-file', '/dev/null', '--profile', 'cluster', 'config', '-q']
      const env = { PATH, HOME, ...Object.fromEntries(given) }
      return spawnSync('docker', args, { cwd: projectRoot, env, timeout: 30_000 })
    }
    const whole = config()
    t.equal(whole.status, 0, String(whole.stderr))
    for (const name of Object.keys(secrets)) t.not(config(name).status, 0, name)
  },
)

t.test(
  'every image is pinned to a version, and KurrentDB to the same one everywhere',
  async (t) => {
    const images = services.flatMap(([, { image }]) => (image === undefined ? [] : [image]))
    t.same(
      images.filter((image) => !isPinned(image)),
      [],
    )
    for (const image of ['postgres', 'postgres:latest', 'postgres:18', 'caddy:alpine']) {
      t.notOk(isPinned(image), image)
    }
    const stores = images.filter((image) => image.includes('/kurrentdb:'))
    t.equal(stores.length, 4)
    t.same([...new Set(stores)], [storeImage])
    t.equal(new Set(images.filter((image) => image.startsWith('postgres:'))).size, 1)
  },
)

t.test('every version of the event store in the documents is a tested one', async (t) => {
  const documents = projectTexts((file) =>
    /^(README\.md|docs\/.*\.md|docker-compose\.yml)$/.test(file),
  )
  const named = [...documents].flatMap(([file, text]) =>
    [...text.matchAll(/(EventStoreDB|KurrentDB)\s+(\d+\.\d+\.\d+)/g)].map(
      ([, server, version]) => ({ file, server: `${server} ${version}` }),
    ),
  )
  t.ok(named.length > 0)
  t.same(
    named.filter(({ server }) => !testedServers.includes(server)),
    [],
  )
})

t.test(
  'the default starts one of each service, and the profile starts the whole cluster',
  async (t) => {
    t.same(names(single), ['app', 'eventstoredb', 'migrate', 'postgres', 'simulator'])
    t.same(names(cluster), [
      'api-1',
      'api-2',
      'certificates',
      'cluster-migrate',
      'cluster-postgres',
      'cluster-simulator',
      'eventstoredb-1',
      'eventstoredb-2',
      'eventstoredb-3',
      'ledger-user',
      'proxy',
      'worker',
    ])
    t.equal(single.length + cluster.length, services.length)
    const roles = ([name, { environment }]: [string, Service]) => [name, environment.ROLES]
    t.same(Object.fromEntries(services.filter(isRunning).map(roles)), {
      app: 'api,projector,worker',
      simulator: 'simulator',
      'api-1': 'api',
      'api-2': 'api',
      worker: 'projector,worker',
      'cluster-simulator': 'simulator',
    })
    // Starting `app` or `proxy` starts its whole side and nothing of the other.
    const withNeeds = (name: string): readonly string[] => [
      name,
      ...Object.keys(compose.services[name]?.depends_on ?? {}).flatMap(withNeeds),
    ]
    t.same([...new Set(withNeeds('app'))].sort(), names(single))
    t.same([...new Set(withNeeds('proxy'))].sort(), names(cluster))
  },
)

t.test('every service has a health check, and its dependents wait for it', async (t) => {
  const problems: string[] = []
  for (const [name, { healthcheck, depends_on, restart }] of services) {
    const isDone = restart === 'on-failure'
    if (!isDone && healthcheck?.test[0] !== 'CMD')
      problems.push(`${name} has no health check without a shell`)
    if (!['always', 'unless-stopped', 'on-failure'].includes(restart))
      problems.push(`${name} stays down`)
    for (const [needed, { condition }] of Object.entries(depends_on)) {
      const other = compose.services[needed]
      if (other === undefined) problems.push(`${name} waits for nobody`)
      const wanted =
        other?.restart === 'on-failure' ? 'service_completed_successfully' : 'service_healthy'
      if (condition !== wanted) problems.push(`${name} does not wait for ${needed}`)
    }
  }
  t.same(problems, [])
})

t.test('the default and the cluster share no volume and no network', async (t) => {
  const volumes = services.flatMap(([, service]) =>
    service.volumes.map((volume) => String(volume.split(':')[0])),
  )
  t.same([...new Set(volumes)].sort(), Object.keys(compose.volumes).sort())
  const volumesOf = (some: readonly [string, Service][]) =>
    some.flatMap(([, service]) => service.volumes.map((volume) => String(volume.split(':')[0])))
  const ofCluster = new Set(volumesOf(cluster))
  t.same(
    volumesOf(single).filter((volume) => ofCluster.has(volume)),
    [],
  )
  const networks = (some: readonly [string, Service][]) =>
    new Set(some.flatMap(([, service]) => service.networks))
  t.same(
    [...networks(single), ...networks(cluster)].sort(),
    Object.keys(compose.networks).toSorted(),
  )
})

t.test('ports are published on loopback only, and stores publish none', async (t) => {
  const published = services.flatMap(([, { ports }]) => ports)
  t.same(
    published.filter((port) => !/^127\.0\.0\.1:\d+:\d+$/.test(port)),
    [],
  )
  t.equal(new Set(published.map((port) => port.split(':')[1])).size, published.length)
  const stores = services.filter((one) => isEventStore(one) || isPostgres(one))
  t.equal(stores.length, 6)
  for (const [name, { ports, networks }] of stores) {
    t.same(ports, [], name)
    for (const network of networks) t.equal(compose.networks[network]?.internal, true, name)
  }
})

t.test('every variable is required, and the Compose file contains no secret', async (t) => {
  const settings = composeText.replace(/^\s*#.*$/gm, '')
  t.same(laxVariables(settings), [])
  const lax = ['$POSTGRES_PASSWORD', '$' + '{SECRETS_KEY}', '$' + '{SECRETS_KEY:-a}']
  for (const one of lax) t.same(laxVariables(one), [one])
  for (const name of Object.keys(secrets)) {
    t.match(settings, new RegExp(`\\$\\{${name}:\\?[^}]+\\}`), name)
    const values = [...settings.matchAll(new RegExp(`^ +${name}: (.*)$`, 'gm'))]
    for (const [, value] of values) t.match(value, new RegExp(`^\\$\\{${name}:\\?[^}]+\\}$`))
    t.match(composeText, new RegExp(`^#.*\\b${name}\\b`, 'm'), `the top says how to make ${name}`)
  }
  // A literal password, in a variable or in a URL.
  const written = /(PASSWORD|_KEY|PEPPER): (?!\$\{|\/)|:\/\/[^:@\s]+:(?!\$\{)[^@\s]+@/
  t.notMatch(settings, written)
  for (const one of ['A_PASSWORD: changeit', 'A: esdb://admin:changeit@a']) t.match(one, written)
})

/** Variables that the image itself sets. */
const imageEnvironment = { HOST: '0.0.0.0', DATA_DIR: '/data' }

t.test(
  "the service's configuration accepts every variable that the Compose file sets",
  async (t) => {
    const known = new Set(
      [...configurationPage().matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name),
    )
    t.ok(known.has('ROLES'))
    const ours = services.filter(isRunning)
    t.equal(ours.length, 6)
    for (const [name, { environment, volumes, networks }] of services.filter(isOurs)) {
      const unknown = Object.keys(environment).filter((variable) => !known.has(variable))
      t.same(unknown, [], name)
      const config = configOf(environment)
      const isSimulator = !isOnce(entryOf(name)) && config.roles.has('simulator')
      const written = volumes.filter((volume) => !volume.endsWith(':ro'))
      t.equal(written.length, isSimulator ? 1 : 0, `${name} keeps files only as the simulator`)
      if (isSimulator) t.ok(written[0]?.endsWith(`:${config.dataDir}`), name)
      if (!isOnce(entryOf(name))) t.equal(publicUrlWarning(config), null, name)
      const side = sideOf(name)
      const stores = side.filter((one) => isEventStore(one) || isPostgres(one))
      for (const [, neighbour] of stores) {
        t.ok(
          neighbour.networks.some((network) => networks.includes(network)),
          name,
        )
      }
    }
    for (const [name, { environment }] of ours) {
      // Every URL that it calls is a service on its side, on the port where that service listens.
      const { databaseUrl = '', eventStoreUrl = '', simulatorUrl = '' } = configOf(environment)
      const side = sideOf(name)
      t.same(
        eachNodeOf(eventStoreUrl)
          .map((url) => new URL(url).host)
          .toSorted(),
        names(side.filter(isEventStore)).map((node) => `${node}:2113`),
        name,
      )
      const simulator = side.find(([, one]) => one.environment.ROLES === 'simulator')
      const simulatorPort = simulator?.[1].environment.SIMULATOR_PORT
      t.equal(simulatorUrl, `http://${simulator?.[0]}:${simulatorPort}`, name)
      const [database] = side.find(isPostgres) ?? []
      t.equal(new URL(databaseUrl).host, `${database}:5432`, name)
    }
  },
)

function entryOf(name: string): [string, Service] {
  const service = compose.services[name]
  if (service === undefined) throw new Error(`no service ${name}`)
  return [name, service]
}

const sideOf = (name: string) => (entryOf(name)[1].profiles.length === 0 ? single : cluster)

function configOf(environment: Readonly<Record<string, string>>) {
  const given = Object.entries(environment).map(([key, value]) => [key, interpolated(value)])
  return readConfig({ ...imageEnvironment, ...Object.fromEntries(given) })
}

/** The services that get this secret. */
const holdersOf = (secret: string) =>
  names(
    services.filter(([, { environment }]) =>
      Object.values(environment).some((value) => value.includes(`{${secret}:`)),
    ),
  )

t.test(
  'the service uses the role without owner rights, and only migrations use the owner',
  async (t) => {
    for (const [name, { environment }] of services.filter(isRunning)) {
      const { databaseUrl = '', databaseAdminUrl } = configOf(environment)
      const { username, password, pathname } = new URL(databaseUrl)
      t.same(
        [username, password, pathname],
        ['shipping_ledger', secrets.DATABASE_PASSWORD, '/shipping_ledger'],
        name,
      )
      t.equal(databaseAdminUrl, undefined, name)
    }
    for (const side of [single, cluster]) {
      const [name, migrates] =
        side.find(([, one]) => one.command.join(' ').includes('migrate')) ?? []
      if (name === undefined || migrates === undefined) throw new Error('nothing migrates')
      t.same(migrates.command, ['node', 'src/service/cli/cli.ts', 'database', 'migrate'])
      const { databaseUrl = '', databaseAdminUrl = '' } = configOf(migrates.environment)
      const [application, owner] = [new URL(databaseUrl), new URL(databaseAdminUrl)]
      t.equal(owner.username, 'shipping_ledger_owner')
      t.equal(owner.password, secrets.DATABASE_OWNER_PASSWORD)
      t.same([owner.host, owner.pathname], [application.host, application.pathname])
      for (const [waiting, { depends_on }] of side.filter(isRunning)) {
        t.equal(depends_on[name]?.condition, 'service_completed_successfully', waiting)
      }
    }
    t.same(holdersOf('POSTGRES_PASSWORD'), ['cluster-postgres', 'postgres'])
    const owners = ['cluster-migrate', 'cluster-postgres', 'migrate', 'postgres']
    t.same(holdersOf('DATABASE_OWNER_PASSWORD'), owners)
    t.same(holdersOf('EVENT_STORE_ADMIN_PASSWORD'), [
      ...names(cluster.filter(isEventStore)),
      'ledger-user',
    ])
  },
)

t.test('PostgreSQL creates its roles from docs/database-roles.sql', async (t) => {
  const file = compose.configs.roles?.file ?? ''
  const sql = read(file)
  for (const [name, { configs, environment }] of services.filter(isPostgres)) {
    const target = '/docker-entrypoint-initdb.d/roles.sql'
    t.same(configs, [{ source: 'roles', target }], name)
    for (const [, variable] of sql.matchAll(/^\\getenv \w+ (\w+)$/gm)) {
      t.ok(Object.hasOwn(environment, String(variable)), `${name} has ${variable}`)
    }
  }
  t.match(sql, /^\\getenv \w+ DATABASE_OWNER_PASSWORD$/m)
  t.equal(file, './docs/database-roles.sql')
})

/** The value after an option of a command. */
const optionOf = (command: readonly string[], option: string) =>
  command[command.indexOf(option) + 1]

t.test("PostgreSQL is healthy only if the service's role can query its database", async (t) => {
  for (const side of [single, cluster]) {
    const { databaseUrl = '' } = configOf(side.find(isRunning)?.[1].environment ?? {})
    const { username, pathname } = new URL(databaseUrl)
    for (const [name, { healthcheck }] of side.filter(isPostgres)) {
      const [, program, ...options] = healthcheck?.test ?? []
      t.equal(program, 'psql', `${name}: pg_isready asks for neither a role nor a database`)
      t.equal(optionOf(options, '-U'), username)
      t.equal(`/${optionOf(options, '-d')}`, pathname)
      t.equal(optionOf(options, '-h'), '127.0.0.1', 'while it sets itself up it is not healthy')
      t.match(optionOf(options, '-c'), /^SELECT /)
      t.match(composeText, new RegExp(`^# .*\\\`${name}\\\``, 'm'), 'the top says what to delete')
    }
  }
})

t.test('the cluster uses certificates, and the service has its own user', async (t) => {
  const nodes = cluster.filter(isEventStore)
  const script = entryOf('certificates')[1].command.join('\n')
  for (const [name, { environment, volumes, depends_on, healthcheck }] of nodes) {
    t.equal(environment.KURRENTDB_INSECURE, undefined, name)
    const folder = `/certificates/node-${name.replace(/\D+/, '')}`
    t.equal(environment.KURRENTDB_CERTIFICATE_FILE, `${folder}/node.crt`)
    t.equal(environment.KURRENTDB_CERTIFICATE_PRIVATE_KEY_FILE, `${folder}/node.key`)
    t.equal(environment.KURRENTDB_TRUSTED_ROOT_CERTIFICATES_PATH, '/certificates/ca')
    t.ok(volumes.includes('certificates:/certificates:ro'), name)
    t.equal(depends_on.certificates?.condition, 'service_completed_successfully')
    t.match(healthcheck?.test.join(' '), '--cacert /certificates/ca/ca.crt https://localhost:2113')
    for (const user of ['ADMIN', 'OPS']) {
      const password = interpolated(environment[`KURRENTDB_DEFAULT_${user}_PASSWORD`] ?? '')
      t.equal(password, secrets[`EVENT_STORE_${user}_PASSWORD`])
    }
  }
  t.match(script, '-out ./node-$$n -dns-names eventstoredb-$$n,localhost')
  t.match(script, /^ *rm ca\/ca\.key$/m, 'the authority signs nothing more')
  t.match(script, /^cp ca\/ca\.crt \/authority\/ca\.crt$/m)
  t.equal(entryOf('certificates')[1].network_mode, 'none')
  const withKeys = services.filter(([, { volumes }]) =>
    volumes.some((volume) => volume.startsWith('certificates:')),
  )
  t.same(
    names(withKeys),
    ['certificates', ...names(nodes)],
    "a node's key makes its holder the server's own user",
  )
  const makes = entryOf('ledger-user')[1]
  t.same(makes.command, ['node', 'src/service/cli/cli.ts', 'event-store', 'user', 'create'])
  const { eventStoreUrl = '', eventStoreAdminUrl = '' } = configOf(makes.environment)
  t.same(credentialsOf(eventStoreAdminUrl), {
    name: 'admin',
    password: secrets.EVENT_STORE_ADMIN_PASSWORD,
  })
  for (const [name, { environment, volumes, depends_on }] of cluster.filter(isRunning)) {
    const config = configOf(environment)
    t.equal(config.eventStoreUrl, eventStoreUrl, name)
    t.equal(config.eventStoreAdminUrl, undefined, name)
    t.match(eventStoreUrl, /\?tlsCAFile=\/authority\/ca\.crt$/)
    t.same(credentialsOf(eventStoreUrl), { name: 'ledger', password: secrets.EVENT_STORE_PASSWORD })
    t.ok(volumes.includes('authority:/authority:ro'), name)
    t.equal(depends_on['ledger-user']?.condition, 'service_completed_successfully', name)
  }
})

t.test('each cluster node advertises its name and knows the other two', async (t) => {
  const nodes = cluster.filter(isEventStore)
  for (const [name, { environment, restart }] of nodes) {
    t.equal(environment.KURRENTDB_NODE_HOST_ADVERTISE_AS, name)
    t.equal(environment.KURRENTDB_REPLICATION_HOST_ADVERTISE_AS, name)
    const others = names(nodes).filter((node) => node !== name)
    t.equal(environment.KURRENTDB_GOSSIP_SEED, others.map((node) => `${node}:2113`).join(','))
    t.equal(environment.KURRENTDB_CLUSTER_SIZE, String(nodes.length))
    t.equal(environment.KURRENTDB_DISCOVER_VIA_DNS, 'false')
    t.equal(restart, 'always', 'one that rejoins may stop with exit code 0')
  }
  for (const [, { environment }] of services.filter(isEventStore)) {
    t.equal(environment.DOTNET_ThreadPool_ForceMinWorkerThreads, '20')
  }
  const proxied = compose.configs.proxy?.content?.match(/reverse_proxy (.*) \{/)?.[1]?.split(' ')
  const apis = names(cluster.filter(([, { environment }]) => environment.ROLES === 'api'))
  t.same(
    proxied,
    apis.map((name) => `${name}:3000`),
  )
})

t.test('containers have few privileges and enough time to stop', async (t) => {
  const problems: string[] = []
  for (const [name, service] of services) {
    const graceMs = secondsOf(service.stop_grace_period) * 1_000
    const config = isRunning([name, service]) ? configOf(service.environment) : undefined
    const delayMs = config?.shutdownDelayMs ?? 0
    if (config?.roles.has('api') && delayMs === 0) problems.push(`${name} closes without a warning`)
    if (!(graceMs > delayMs + drainWithinMs)) problems.push(`${name} is killed while it drains`)
    if (!service.security_opt.includes('no-new-privileges:true')) problems.push(`${name} may rise`)
    // PostgreSQL's image starts as root and changes the owner of its folder.
    if (!isPostgres([name, service]) && !service.cap_drop.includes('ALL'))
      problems.push(`${name} has capabilities`)
    if (service.build !== undefined && !service.read_only) problems.push(`${name} can be changed`)
    // Compose copies such a file into the container, which Docker then refuses.
    if (service.read_only && service.configs.length > 0) problems.push(`${name} cannot be made`)
  }
  t.same(problems, [])
})

t.test('PostgreSQL allows enough connections for every process', async (t) => {
  for (const side of [single, cluster]) {
    const database = side.find(([, { image }]) => image?.startsWith('postgres:'))?.[1]
    const max = Number(/max_connections=(\d+)/.exec(database?.command.join(' ') ?? '')?.[1])
    t.ok(max >= side.filter(isOurs).length * processConnectionsMax + spareConnections)
  }
})

type Instruction = { readonly name: string; readonly value: string }

function instructionsOf(dockerfile: string): readonly Instruction[] {
  return dockerfile
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({
      name: String(line.split(' ')[0]).toUpperCase(),
      value: line.slice(line.indexOf(' ') + 1).trim(),
    }))
}

/** Checks like hadolint's; `exists` tells whether a path may be copied. */
function dockerfileProblems(text: string, exists: (path: string) => boolean): readonly string[] {
  const problems: string[] = []
  const all = instructionsOf(text)
  const last = all.slice(all.findLastIndex(({ name }) => name === 'FROM'))
  for (const { name, value } of all) {
    if (name === 'FROM' && !isPinned(value.replace(/ AS \w+$/, ''))) problems.push(`FROM ${value}`)
    if (name === 'ADD') problems.push(`ADD ${value}`)
    if (name === 'WORKDIR' && !value.startsWith('/')) problems.push(`WORKDIR ${value}`)
    if (/^(ENV|ARG)$/.test(name) && /KEY|PEPPER|PASSWORD|SECRET|TOKEN/.test(value))
      problems.push(`${name} with a secret`)
    if (name === 'COPY' && !value.startsWith('--from=')) {
      const missing = value
        .split(/\s+/)
        .slice(0, -1)
        .filter((path) => !exists(path))
      problems.push(...missing.map((path) => `COPY ${path}: no such file`))
    }
    if (name === 'RUN') {
      if (/\bsudo\b/.test(value)) problems.push('sudo')
      if (/\bnpm (i|install)\b/.test(value)) problems.push('npm install follows no lock')
      if (/\bnpm ci\b/.test(value) && !/npm cache clean/.test(value))
        problems.push('npm cache kept')
      if (/\bapt-get install\b/.test(value) && !/rm -rf \/var\/lib\/apt\/lists/.test(value))
        problems.push('apt lists kept')
    }
  }
  const user = last.findLast(({ name }) => name === 'USER')?.value
  if (user === undefined || /^(root|0)(:|$)/.test(user)) problems.push('runs as root')
  const command = last.findLast(({ name }) => name === 'CMD')?.value
  if (!/^\["node", .*"\]$/.test(command ?? '')) problems.push('signals do not reach the process')
  return problems
}

t.test('the Dockerfile follows the usual linter rules', async (t) => {
  const ignored = read('.dockerignore')
  const allowed = ignored.match(/^!.+$/gm)?.map((line) => line.slice(1)) ?? []
  t.match(ignored, /^\*$/m, 'everything is left out but what is named')
  const exists = (path: string) =>
    allowed.some((name) => `${path.replace(/^\.\//, '')}/`.startsWith(`${name}/`)) &&
    existsSync(join(projectRoot, path))
  t.same(dockerfileProblems(read('Dockerfile'), exists), [])
  t.same(
    allowed.filter((path) => !existsSync(join(projectRoot, path))),
    [],
  )
  const wrong =
    'FROM node:latest\nADD . /x\nCOPY gone ./\nENV A_KEY=1\nRUN npm install\nCMD npm start\n'
  t.equal(dockerfileProblems(wrong, exists).length, 7)
})

t.test('the image has the tested Node version and leaves out only what it may', async (t) => {
  const dockerfile = read('Dockerfile')
  const packages = JSON.parse(read('package.json'))
  const from = [...dockerfile.matchAll(/^FROM node:(\d+\.\d+\.\d+)-/gm)].map(
    ([, version]) => version,
  )
  t.ok(from.length > 0)
  for (const version of from) t.equal(version, packages.dependencies.node)
  t.match(dockerfile, /npm ci --omit=dev --omit=optional --workspaces=false --ignore-scripts/)
  // Install scripts are not run, so nothing in the image may need one.
  const lock = z
    .object({
      packages: z.record(
        z.string(),
        z.object({
          dev: z.boolean().optional(),
          optional: z.boolean().optional(),
          hasInstallScript: z.boolean().optional(),
        }),
      ),
    })
    .parse(JSON.parse(read('package-lock.json')))
  const scripted = Object.entries(lock.packages)
    .filter(([, one]) => one.hasInstallScript && !one.dev && !one.optional)
    .map(([path]) => path.replace('node_modules/', ''))
  t.same(
    scripted.filter((name) => name !== 'node' && packages.allowScripts[name] !== false),
    [],
  )
  t.match(dockerfile, /rm -rf node_modules\/node /)
  const ports = /^EXPOSE (.*)$/m.exec(dockerfile)?.[1]?.split(' ').map(Number)
  const { port, metricsPort } = readConfig({})
  t.same(ports, [port, metricsPort])
  for (const [name, value] of Object.entries(imageEnvironment)) {
    t.match(dockerfile, new RegExp(`^ENV .*\\b${name}=${value}\\b`, 'm'))
  }
  const script = /^CMD .*"([^"]+\.ts)"\]$/m.exec(dockerfile)?.[1]
  t.ok(script !== undefined && packages.scripts.start.endsWith(script))
})
