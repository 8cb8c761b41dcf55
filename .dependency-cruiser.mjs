/**
 * Who may import whom: docs/architecture.md explains it. `import type` counts too.
 * `npm run imports` checks it.
 */

const room = (name) => `^src/service/${name}(/|\\.ts$)`
const rooms = (...names) => `^src/service/(${names.join('|')})(/|\\.ts$)`

/** Files without imports of ours, or only of each other, and the domain: every room may import them. */
const shared = [
  'domain',
  'error-kinds',
  'log',
  'start-error',
  'fair-semaphore',
  'pause',
  'url-at',
  'is-url',
  'tracing',
]
const foundations = [
  'errors',
  'database',
  'queue',
  'event-store',
  'secrets',
  'security',
  'couriers',
]

/** A room of the service, and what it may import beside itself and what is shared. */
const allowed = {
  domain: [],
  tracing: ['domain', 'log'],
  log: [],
  'start-error': [],
  'fair-semaphore': [],
  pause: [],
  'url-at': [],
  'is-url': [],
  'error-kinds': [],
  'compile-cache': [],
  'error-table': ['error-kinds'],
  errors: ['domain', 'error-kinds', 'error-table'],
  'field-errors': ['error-kinds'],
  'strict-json': ['errors', 'field-errors'],
  lifecycle: shared,
  'config-values': shared,
  'config-traces': [...shared, 'config-values'],
  config: [...shared, 'config-values', 'config-traces'],
  'embedded-postgres': shared,
  database: shared,
  secrets: [...shared, 'embedded-postgres'],
  'open-database': [...shared, 'database', 'embedded-postgres', 'secrets'],
  queue: [...shared, 'database'],
  'event-store': [...shared, 'database', 'queue'],
  couriers: [...shared, 'database'],
  security: [...shared, 'errors', 'database', 'event-store'],
  projector: [...shared, 'database', 'queue', 'event-store', 'projections'],
  webhooks: [...shared, ...foundations, 'projections', 'projector'],
  processes: [...shared, ...foundations, 'projections', 'projector', 'webhooks', 'compile-cache'],
  sheets: [...shared, 'errors', 'couriers', 'field-errors', 'strict-json'],
  ledger: [...shared, ...foundations, 'projections', 'projector', 'processes'],
  http: [
    ...shared,
    ...foundations,
    'projections',
    'projector',
    'processes',
    'webhooks',
    'ledger',
    'sheets',
    'field-errors',
    'strict-json',
  ],
}

/** Of the service, only these files may import that house. */
const onlyFrom = (name, files, house) => ({
  name,
  severity: 'error',
  from: { path: '^src/service/', pathNot: files },
  to: { path: house },
})

const readModels = '^projections/'
const pathsOf = (names) => {
  const inService = names.filter((name) => name !== 'projections')
  return [
    ...(inService.length > 0 ? [rooms(...inService)] : []),
    ...(names.includes('projections') ? [readModels] : []),
  ]
}
/** Only code of this project is restricted here; knip checks the packages. */
const ours = '^(src|projections|test)/'
const ourOwn = (from, to) => ({ from: { path: from }, to: { path: ours, pathNot: to } })

const adapters =
  '^src/service/(event-store/(postgres/postgres|memory|eventstoredb/eventstoredb)|couriers/simulated-courier)\\.ts$'

export default {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    ...Object.entries(allowed).map(([name, others]) => ({
      name: `direction-of-${name}`,
      comment: 'A room imports only what stands below it.',
      severity: 'error',
      ...ourOwn(room(name), [room(name), ...pathsOf(others)]),
    })),
    {
      name: 'direction-of-projections',
      severity: 'error',
      ...ourOwn(readModels, [readModels, ...pathsOf([...shared, 'database', 'event-store'])]),
    },
    {
      name: 'the-service-needs-no-other-house',
      comment:
        'Its composition starts the simulated courier; its command line uses the verifier.',
      severity: 'error',
      ...ourOwn('^src/service/', [
        '^src/service/',
        readModels,
        '^src/simulator/',
        '^src/verifier/',
      ]),
    },
    onlyFrom('only-the-composition-starts-the-simulator', '^src/service/app\\.ts$', '^src/simulator/'),
    onlyFrom('only-commands-use-the-verifier', '^src/service/cli/', '^src/verifier/'),
    {
      name: 'verifier',
      comment: 'One file that runs alone, and its types.',
      severity: 'error',
      from: { path: '^src/verifier/' },
      to: { pathNot: '^src/verifier/' },
    },
    {
      name: 'only-the-composition-names-adapters',
      comment: 'The simulated courier is the other side of its adapter.',
      severity: 'error',
      from: {
        path: '^(src|projections)/',
        pathNot: [
          '^src/service/app\\.ts$',
          '^src/service/event-store/(postgres|eventstoredb)/',
          '^src/simulator/',
        ],
      },
      to: { path: adapters },
    },
    {
      name: 'simulator',
      comment: 'A connector: it knows the protocol, its scenarios and words of the domain.',
      severity: 'error',
      ...ourOwn('^src/simulator/', [
        '^src/simulator/',
        rooms('couriers', ...shared),
      ]),
    },
    {
      name: 'client',
      comment: 'It is published alone.',
      severity: 'error',
      ...ourOwn('^src/client/', ['^src/client/']),
    },
    {
      name: 'library-of-the-client',
      comment: 'It runs in browsers and has no dependencies; the command and the agents have them.',
      severity: 'error',
      from: { path: '^src/client/[^/]+\\.ts$' },
      to: { pathNot: '^src/client/([^/]+\\.ts$|generated/)' },
    },
    {
      name: 'console',
      comment: 'A client of the API like any other, which also has the verifier.',
      severity: 'error',
      ...ourOwn('^src/console/', ['^src/console/', '^src/client/', '^src/verifier/']),
    },
    {
      name: 'docs-site',
      comment: 'It is made of parts of the console.',
      severity: 'error',
      ...ourOwn('^src/docs-site/', ['^src/docs-site/', '^src/console/', '^src/client/']),
    },
    {
      name: 'pure-domain',
      comment: 'The domain imports zod and node:crypto, and nothing else that is not its own.',
      severity: 'error',
      from: { path: '^src/service/domain/' },
      to: { pathNot: ['^src/service/domain/', '^node_modules/zod/', '^(node:)?crypto$'] },
    },
    {
      name: 'no-tests-in-the-product',
      severity: 'error',
      from: { path: '^(src|projections)/' },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js'] },
    tsConfig: { fileName: 'src/service/tsconfig.json' },
    moduleSystems: ['es6', 'cjs'],
    skipAnalysisNotInRules: true,
  },
}
