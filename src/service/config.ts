import { join, resolve } from 'node:path'
import { z } from 'zod'
import { tracesOf, traceVariables } from './config-traces.ts'
import {
  type ConfiguredWitness,
  keyBytes,
  keyOrUndefined,
  keysOrUndefined,
  oneOf,
  originOrUndefined,
  previousKeysMax,
  proxiesOrUndefined,
  signInAddress,
  text,
  upTo,
  wholeSeconds,
  witnessesMax,
  witnessesOrUndefined,
} from './config-values.ts'
import { isId } from './domain/ids.ts'
import { isEventStoreUrl, isUrl } from './is-url.ts'
import { StartError } from './start-error.ts'
import type { TraceSettings } from './tracing/trace-settings.ts'
import { isLoopback } from './url-at.ts'

export { keyBytes } from './config-values.ts'

const roles = ['api', 'projector', 'worker', 'simulator'] as const
type Role = (typeof roles)[number]
const logLevels = ['debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const webhookAllowPrivate = ['auto', 'true', 'false'] as const

const portRule = `a whole number from 0 (any free port) to 65535`
const keyRule = `${keyBytes} random bytes in base64 (create one with \`openssl rand -base64 ${keyBytes}\`)`

const port = text(portRule, (value) => {
  const number = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  return number <= 65_535 ? number : undefined
})
const key = text(keyRule, keyOrUndefined)
const shutdownDelay = wholeSeconds(300)
const witnessRule = `up to ${witnessesMax} witnesses, separated by spaces or commas, each as KEY=URL: the key that the witness shows when it starts (name+id+base64) and the http or https address under which it serves add-checkpoint; each name only once`
const databaseAddress = text(
  'an address like postgres://user:password@host:5432/database',
  (value) => (isUrl(value, /^postgres(ql)?:$/) ? value : undefined),
)

const eventStoreAddress = text(
  'an address like esdb://127.0.0.1:2113?tls=false or kurrentdb://127.0.0.1:2113?tls=false',
  (value) => (isEventStoreUrl(value) ? value : undefined),
)

/**
 * All variables, and how their text is checked and parsed. The description is the row in
 * docs/configuration.md. An empty variable counts as absent.
 */
const variables = {
  PORT: port.prefault('3000').describe('The port of the API; `0` for any free port.'),
  HOST: text('a host name or address to listen on', (value) =>
    /^[0-9a-zA-Z.:_-]{1,253}$/.test(value) ? value : undefined,
  )
    .prefault('127.0.0.1')
    .describe('The address the API and the metrics listen on; `0.0.0.0` for every interface.'),
  TRUSTED_PROXIES: text(
    'addresses or networks separated by commas, like 10.0.0.5,192.168.0.0/16, or loopback, linklocal, uniquelocal',
    proxiesOrUndefined,
  )
    .optional()
    .describe(
      'The reverse proxies whose `X-Forwarded-For` is trusted: a comma-separated list of addresses, networks, `loopback`, `linklocal` or `uniquelocal`. Default: none; failed authentications are then counted by the connecting address.',
    ),
  METRICS_PORT: port
    .prefault('9464')
    .describe('The port of `/metrics`, which is separate from the API; `0` for any free port.'),
  ROLES: text(`a comma-separated list of ${roles.join(', ')}`, rolesOrUndefined)
    .prefault(roles.join(','))
    .describe(
      `What this process does, a comma-separated list of ${roles.join(', ')}. Default: everything.`,
    ),
  DATA_DIR: text('the path of a folder', (value) => resolve(value))
    .prefault('./.data')
    .describe(
      "The folder of the embedded database, its secrets and the simulated courier's record. Only one process at a time can use it.",
    ),
  DATABASE_URL: databaseAddress
    .optional()
    .describe(
      "A PostgreSQL (15 or newer) to use instead of the embedded one, with the application's role. It requires `SECRETS_KEY`, `API_KEY_PEPPER` and `CHECKPOINT_KEY`.",
    ),
  DATABASE_ADMIN_URL: databaseAddress
    .optional()
    .describe(
      "The same database with the role that owns the tables, which runs migrations. If absent, the role of `DATABASE_URL` owns everything. The ledger's triggers refuse changes in either case.",
    ),
  EVENT_STORE_URL: eventStoreAddress
    .optional()
    .describe(
      'An EventStoreDB or KurrentDB for the ledger: `esdb://user:password@host:2113?tlsCAFile=FILE`, several hosts separated by commas, or `esdb+discover://name`. `kurrentdb://` and `kurrentdb+discover://` mean the same. If absent, the ledger is in PostgreSQL.',
    ),
  EVENT_STORE_ADMIN_URL: eventStoreAddress
    .optional()
    .describe(
      'The same EventStoreDB with the user of an administrator. Only the command `event-store user create` uses it.',
    ),
  EVENT_STORE_NAMESPACE: text('1 to 32 lower-case letters, digits or hyphens', (value) =>
    /^[a-z0-9-]{1,32}$/.test(value) ? value : undefined,
  )
    .optional()
    .describe(
      'A prefix for the names of all streams, so that several ledgers can share one EventStoreDB.',
    ),
  SECRETS_KEY: key
    .optional()
    .describe(
      `Encrypts personal data and credentials: ${keyRule}. With the embedded database it is created once.`,
    ),
  SECRETS_KEY_PREVIOUS: text(
    `up to ${previousKeysMax} keys separated by commas, each ${keyRule}`,
    keysOrUndefined,
  )
    .optional()
    .describe(
      'Earlier values of `SECRETS_KEY`, separated by commas, for as long as data is encrypted under them.',
    ),
  API_KEY_PEPPER: key
    .optional()
    .describe(
      `The key of the digests as which API keys are stored: ${keyRule}. With the embedded database it is created once.`,
    ),
  CHECKPOINT_KEY: key
    .optional()
    .describe(
      `Seed of the Ed25519 key that signs checkpoints of the ledger: ${keyRule}. With the embedded database it is created once.`,
    ),
  CHECKPOINT_KEY_PREVIOUS: key
    .optional()
    .describe(
      'The `CHECKPOINT_KEY` that is being replaced, which also signs the first checkpoint under the new one. Remove it after the next start.',
    ),
  SIMULATOR_KEY: key
    .optional()
    .describe(
      "Encrypts the simulated courier's record. By default it is created once in `DATA_DIR`.",
    ),
  LEDGER_OPERATOR: text('the id of an operator like opr_4Zb1cD2eF3gH4iJ5kL6mN7', (value) =>
    isId('opr', value) ? value : undefined,
  )
    .optional()
    .describe(
      'Only for commands: the operator who acts, if `--as` is not given. Decisions, looks, work on operations, erasures and legal holds need one.',
    ),
  SIMULATOR_URL: text('an address like http://127.0.0.1:4000', (value) =>
    isUrl(value, /^https?:$/) ? value : undefined,
  )
    .optional()
    .describe('The address of the simulated courier, if this process does not run it.'),
  SIMULATOR_PORT: port
    .prefault('0')
    .describe('The port of the simulated courier; `0` for any free port.'),
  SIMULATOR_HOST: text('a host name or address to listen on', (value) =>
    /^[0-9a-zA-Z.:_-]{1,253}$/.test(value) ? value : undefined,
  )
    .prefault('127.0.0.1')
    .describe('The address the simulated courier listens on.'),
  CHECKPOINT_DIR: text('the path of a folder', (value) => resolve(value))
    .optional()
    .describe(
      'A folder outside the database for signed checkpoints of the ledger and the list of erasures, ideally on another disk or machine. Default: `checkpoints` in `DATA_DIR` with the embedded database, otherwise none.',
    ),
  WITNESSES: text(witnessRule, witnessesOrUndefined)
    .optional()
    .describe(
      'Witnesses that cosign each checkpoint of the ledger: `KEY=URL`, separated by spaces or commas, where KEY is the key that the witness shows when it starts and URL the address under which it serves `add-checkpoint`. Set it for the processes with the roles `projector`, which submit, and `api`, which report.',
    ),
  OIDC_ISSUER: text('an https address, or http on this machine, without a query', signInAddress)
    .optional()
    .describe(
      'The OpenID Connect issuer of the accounts with which people sign in to the console. It requires `OIDC_CLIENT_ID`, `OIDC_CLIENT_SECRET` and `PUBLIC_URL`. If absent, the console takes an API key. [How to connect one](guides/signing-in.md).',
    ),
  OIDC_CLIENT_ID: text('1 to 255 characters', upTo(255))
    .optional()
    .describe('The id under which the service is registered at the issuer.'),
  OIDC_CLIENT_SECRET: text('1 to 1024 characters', upTo(1_024))
    .optional()
    .describe('The secret of that registration.'),
  OIDC_ROLE_CLAIM: text('1 to 255 characters', upTo(255))
    .optional()
    .describe(
      'The claim with the role of a person, or a path to it like `realm_access.roles`: a text or a list with `clerk`, `support`, `accountant`, `operator` or `admin`. If absent, everyone who may sign in has the role `operator`.',
    ),
  PUBLIC_URL: text(
    'an https address without a path, or http on this machine, like https://shipping.example',
    originOrUndefined,
  )
    .optional()
    .describe(
      "The address at which browsers reach the service. The links to recipients' pages begin with it, and the issuer sends people back to it. Give it to every process. Default: `http://HOST:PORT` with a loopback address for `0.0.0.0`, so set it wherever `HOST` is not loopback.",
    ),
  WEBHOOK_ALLOW_PRIVATE: oneOf(webhookAllowPrivate)
    .prefault('auto')
    .describe(
      'Whether webhooks of test mode may go to private addresses: `true`, `false`, or `auto` for only if the database is embedded and `HOST` is loopback. Never allowed in live mode.',
    ),
  SHUTDOWN_DELAY: shutdownDelay
    .prefault('0s')
    .describe(
      'How long a process with the role `api` keeps serving after the first SIGTERM, SIGINT or SIGHUP, while `/readyz` answers 503, before it closes its port: whole seconds, like `10s`. It then drains for up to 25 s.',
    ),
  ...traceVariables,
  LOG_LEVEL: oneOf(logLevels)
    .prefault('info')
    .describe(`The lowest level that is logged: ${logLevels.join(', ')}.`),
}
const schema = z.object(variables)
type Variables = z.output<typeof schema>

/** How people sign in to the console with OpenID Connect. */
type SignInSettings = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The claim with a person's role, or a path to it; null = everyone is an operator. */
  readonly roleClaim: string | null
  /** Without a path or a slash at the end. */
  readonly publicUrl: string
}

export type Config = {
  readonly port: number
  readonly host: string
  /** The proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  readonly metricsPort: number
  readonly roles: ReadonlySet<Role>
  /** An absolute path. */
  readonly dataDir: string
  /** Undefined to use the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined
  readonly databaseAdminUrl: string | undefined
  /** Undefined if the database holds the ledger. */
  readonly eventStoreUrl: string | undefined
  readonly eventStoreAdminUrl: string | undefined
  /** Empty if there is no namespace. */
  readonly eventStoreNamespace: string
  /** The secrets given in the environment, each base64 of 32 bytes. */
  readonly secretsKey: string | undefined
  readonly secretsKeyPrevious: readonly string[]
  readonly apiKeyPepper: string | undefined
  readonly checkpointKey: string | undefined
  readonly checkpointKeyPrevious: string | undefined
  readonly simulatorKey: string | undefined
  readonly operator: string | undefined
  readonly simulatorUrl: string | undefined
  readonly simulatorPort: number
  readonly simulatorHost: string
  /** An absolute path; undefined if checkpoints are kept only in the database. */
  readonly checkpointDir: string | undefined
  readonly witnesses: readonly ConfiguredWitness[]
  /** Without a slash at the end; undefined if only HOST and PORT are known. */
  readonly publicUrl: string | undefined
  /** Undefined if the console takes keys only. */
  readonly signIn: SignInSettings | undefined
  readonly webhookAllowPrivate: (typeof webhookAllowPrivate)[number]
  /** 0 without the role `api`, because only that role has a port to close. */
  readonly shutdownDelayMs: number
  readonly traces: TraceSettings | undefined
  readonly logLevel: (typeof logLevels)[number]
}

/**
 * Reads the configuration once at the start. No other code reads the environment. Throws a StartError
 * with a sentence for every invalid variable, which never quotes a value.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(
    Object.keys(variables)
      .map((name) => [name, environment[name]?.trim()])
      .filter(([, value]) => value !== undefined && value !== ''),
  )
  const read = schema.safeParse(given)
  if (!read.success) {
    throw new StartError(
      read.error.issues
        .map((issue) => `${String(issue.path[0])} is not valid: it must be ${issue.message}.`)
        .join('\n'),
    )
  }
  const contradictions = contradictionsOf(read.data)
  if (contradictions.length > 0) throw new StartError(contradictions.join('\n'))
  return named(read.data)
}

function named(value: Variables): Config {
  const isEmbedded = value.DATABASE_URL === undefined
  return {
    port: value.PORT,
    host: value.HOST,
    trustedProxies: value.TRUSTED_PROXIES ?? [],
    metricsPort: value.METRICS_PORT,
    roles: new Set(value.ROLES),
    dataDir: value.DATA_DIR,
    databaseUrl: value.DATABASE_URL,
    databaseAdminUrl: value.DATABASE_ADMIN_URL,
    eventStoreUrl: value.EVENT_STORE_URL,
    eventStoreAdminUrl: value.EVENT_STORE_ADMIN_URL,
    eventStoreNamespace: value.EVENT_STORE_NAMESPACE ?? '',
    secretsKey: value.SECRETS_KEY,
    secretsKeyPrevious: value.SECRETS_KEY_PREVIOUS ?? [],
    apiKeyPepper: value.API_KEY_PEPPER,
    checkpointKey: value.CHECKPOINT_KEY,
    checkpointKeyPrevious: value.CHECKPOINT_KEY_PREVIOUS,
    simulatorKey: value.SIMULATOR_KEY,
    operator: value.LEDGER_OPERATOR,
    simulatorUrl: value.SIMULATOR_URL,
    simulatorPort: value.SIMULATOR_PORT,
    simulatorHost: value.SIMULATOR_HOST,
    checkpointDir:
      value.CHECKPOINT_DIR ?? (isEmbedded ? join(value.DATA_DIR, 'checkpoints') : undefined),
    witnesses: value.WITNESSES ?? [],
    publicUrl: value.PUBLIC_URL,
    signIn: signInOf(value),
    webhookAllowPrivate: value.WEBHOOK_ALLOW_PRIVATE,
    shutdownDelayMs: value.ROLES.includes('api') ? value.SHUTDOWN_DELAY : 0,
    traces: tracesOf(value),
    logLevel: value.LOG_LEVEL,
  }
}

/** The user's working directory. npm runs scripts in another folder and passes this one on. */
export function userFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return environment.INIT_CWD ?? process.cwd()
}

function signInOf(value: Variables): SignInSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = value
  const { PUBLIC_URL: publicUrl, OIDC_ROLE_CLAIM: roleClaim } = value
  if (issuer === undefined || clientId === undefined) return undefined
  if (clientSecret === undefined || publicUrl === undefined) return undefined
  return { issuer, clientId, clientSecret, publicUrl, roleClaim: roleClaim ?? null }
}

function contradictionsOf(value: Variables): string[] {
  const found: string[] = []
  if (value.DATABASE_ADMIN_URL !== undefined && value.DATABASE_URL === undefined) {
    found.push(
      'DATABASE_ADMIN_URL is set and DATABASE_URL is not: set both to the same database, or neither for the embedded one.',
    )
  }
  if (value.EVENT_STORE_NAMESPACE !== undefined && value.EVENT_STORE_URL === undefined) {
    found.push(
      'EVENT_STORE_NAMESPACE is set and EVENT_STORE_URL is not: set both, or neither for the ledger in PostgreSQL.',
    )
  }
  const forSignIn = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'PUBLIC_URL'] as const
  const absent = forSignIn.filter((name) => value[name] === undefined)
  const isAsked = forSignIn.some((name) => name !== 'PUBLIC_URL' && value[name] !== undefined)
  if (absent.length > 0 && (isAsked || value.OIDC_ROLE_CLAIM !== undefined)) {
    found.push(
      `${absent.join(', ')} ${absent.length === 1 ? 'is' : 'are'} not set: signing in with OpenID Connect needs ${forSignIn.join(', ')}.`,
    )
  }
  if (value.PORT === value.METRICS_PORT && value.PORT !== 0) {
    found.push('PORT and METRICS_PORT are the same: set one of them to another port.')
  }
  return found
}

/** Whether webhooks of test mode may go to private addresses. */
export function allowsPrivateWebhooks(
  { webhookAllowPrivate: allowed, host }: Config,
  isEmbedded: boolean,
): boolean {
  return allowed === 'auto' ? isEmbedded && isLoopback(host) : allowed === 'true'
}

/** docs/configuration.md, generated from the same schema. */
export function configurationPage(): string {
  const rows = Object.entries(variables).map(([name, variable]) => {
    const fallback = 'defaultValue' in variable.def ? `\`${variable.def.defaultValue}\`` : ''
    return `| \`${name}\` | ${fallback} | ${variable.description} |`
  })
  return `# Configuration

Everything is configured by environment variables, which are read once at the start. If one is not valid, the
service does not start and says what it must be. An empty variable counts as absent.

| Variable | Default | Meaning |
|---|---|---|
${rows.join('\n')}
`
}

function rolesOrUndefined(value: string): readonly Role[] | undefined {
  const named = value.split(',').map((one) => roles.find((role) => role === one.trim()))
  return named.every((one) => one !== undefined) ? named : undefined
}
