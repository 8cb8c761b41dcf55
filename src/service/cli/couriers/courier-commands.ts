import { z } from 'zod'
import type { Credentials } from '../../couriers/courier.ts'
import { simulatedProviderCode } from '../../couriers/couriers.ts'
import { answers } from '../../couriers/protocol.ts'
import { platform } from '../../domain/ids.ts'
import { couriersMax, registerCourier } from '../../processes/connections/registered-couriers.ts'
import { acting, asRecorded } from '../acting.ts'
import {
  type Command,
  CommandFailed,
  columns,
  readAddress,
  Undecided,
  UsageError,
} from '../command.ts'
import { courierCheck } from './courier-check.ts'
import { ask, shaped } from './courier-check-calls.ts'

const url = { value: 'URL', required: true, description: 'The address of the connector.' } as const
const token = { value: 'TOKEN', description: 'Its bearer token, if it needs one.' } as const
/** The form of provider codes in the connector protocol and the API. */
const codePattern = /^[a-z0-9][a-z0-9_-]{0,63}$/
const nameLengthMax = 100

export const courierAdd: Command = {
  name: 'courier add',
  summary: 'Registers a courier for live use. Its connector must be running.',
  flags: {
    code: { value: 'CODE', required: true, description: 'Its provider_code for clients.' },
    url,
    token: { ...token, description: `${token.description} Stored encrypted.` },
    name: { value: 'NAME', description: "The displayed name. Default: the connector's own." },
    replace: { description: 'Replaces the courier registered under the code.' },
    ...asRecorded,
  },
  examples: [
    'courier add --code one --url https://connector.example/one --token SECRET',
    'courier add --code one --url https://new.example/one --replace',
  ],
  run: async (call) => {
    const { flags, open } = call
    const actorOn = acting(call)
    const providerCode = codeOf(flags.get('code') ?? '')
    const baseUrl = connectorUrl(flags.get('url') ?? '')
    const secret = flags.get('token') ?? null
    const described = await describe(baseUrl, secret)
    const displayName = flags.get('name') ?? described.name
    if (displayName.length > nameLengthMax) {
      throw new UsageError(`--name is longer than ${nameLengthMax} characters.`)
    }
    const { capabilities } = described
    const order = { providerCode, displayName, baseUrl, token: secret, capabilities }
    const replace = flags.has('replace')
    const actor = await actorOn(platform)
    const { db, store, tokens } = await open()
    const done = await registerCourier({ db, store, tokens }, order, { replace, actor })
    if (done === 'exists') {
      throw new CommandFailed(`${providerCode} is already registered. Use --replace to replace it.`)
    }
    if (done === 'unknown') {
      throw new CommandFailed(`There is no courier ${providerCode} to replace.`)
    }
    if (done === 'too_many') throw new CommandFailed(`There are ${couriersMax} couriers already.`)
    return {
      json: {
        provider_code: providerCode,
        object: 'courier',
        display_name: displayName,
        url: baseUrl,
        capabilities: { ...capabilities },
        replaced: done === 'replaced',
      },
      text: `${providerCode} (${displayName}) is registered; running processes use it within seconds.`,
    }
  },
}

export const courierList: Command = {
  name: 'courier list',
  summary: 'Lists the couriers registered for live use. Shows no token.',
  flags: {},
  examples: ['courier list', 'courier list --json'],
  run: async ({ open }) => {
    const { db } = await open()
    const found = await db
      .selectFrom('couriers')
      .select(['provider_code', 'display_name', 'base_url', 'capabilities'])
      .select(['created_at', 'updated_at'])
      .select((eb) => eb('token', 'is not', null).as('has_token'))
      .orderBy('provider_code')
      .limit(couriersMax)
      .execute()
    const data = found.map(({ base_url, has_token, created_at, updated_at, ...courier }) => ({
      ...courier,
      object: 'courier',
      url: base_url,
      has_token: Boolean(has_token),
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    }))
    const rows = data.map((courier) => [
      courier.provider_code,
      courier.display_name,
      courier.url,
      Object.entries(courier.capabilities)
        .flatMap(([name, can]) => (can ? [name] : []))
        .join(' '),
    ])
    return { json: { data }, text: columns([['CODE', 'NAME', 'URL', 'CAN'], ...rows]) }
  },
}

function codeOf(code: string): string {
  if (!codePattern.test(code)) {
    throw new UsageError(
      '--code must be 1 to 64 characters of a-z, 0-9, - and _, and begin with a letter or digit.',
    )
  }
  if (code === simulatedProviderCode) {
    throw new UsageError(`${code} is the simulated courier, which is for test keys only.`)
  }
  return code
}

/**
 * Credentials and personal data are sent to this address, so only a connector on this machine may
 * use http.
 */
function connectorUrl(text: string): string {
  const found = URL.canParse(text) ? new URL(text) : null
  const isLocal = found !== null && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(found.hostname)
  const isSafe = found?.protocol === 'https:' || (isLocal && found?.protocol === 'http:')
  if (found === null || !isSafe) {
    throw new UsageError(
      '--url must be an https address; http is only for connectors on this machine.',
    )
  }
  if (found.username !== '' || found.password !== '' || found.search !== '' || found.hash !== '') {
    throw new UsageError(
      '--url must not have a user name, password, query or fragment. Pass a secret with --token.',
    )
  }
  return found.href
}

async function describe(baseUrl: string, secret: string | null) {
  const checked = {
    url: baseUrl,
    ...(secret === null ? {} : { token: secret }),
    credentials: { username: '', password: '' },
  }
  try {
    return shaped(await ask(checked, 'describe', null), answers.describe)
  } catch (error) {
    throwIfUnreachable(baseUrl, error)
    throw new CommandFailed(
      `No connector describes itself at ${baseUrl}. Run "courier check" to see what is wrong.`,
      { cause: error },
    )
  }
}

/** Throws Undecided if there was no answer, because the connector cannot be checked then. */
function throwIfUnreachable(address: string, error: unknown): void {
  const { code, name } = error as Error & { code?: unknown }
  const isTimeout = name === 'TimeoutError'
  // HPE_: the answer was not HTTP.
  const isOfSocket = typeof code === 'string' && !code.startsWith('HPE_')
  if (!isTimeout && !isOfSocket) return
  const reason = isTimeout ? 'timeout' : String(code)
  throw new Undecided(`No connector answers at ${address} (${reason}).`, { cause: error })
}

/** A description needs no account at the courier, so only the token can have been refused. */
function throwIfTokenIsRefused(address: string, secret: string | undefined, status: number): void {
  if (status !== 401 && status !== 403) return
  throw new Undecided(
    secret === undefined
      ? `The connector at ${address} needs a token (${status}). Pass it with --token.`
      : `The connector at ${address} refuses this token (${status}). Nothing was checked.`,
  )
}

/** Credentials as a JSON object of texts. */
function credentialsIn(text: string | undefined): Credentials | null {
  if (text === undefined) return null
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text))
  } catch {
    throw new UsageError('--credentials must be a JSON object of texts: {"api_key":"SECRET"}.')
  }
}

export const courierCheckCommand: Command = {
  name: 'courier check',
  summary: 'Checks a connector against the courier connector protocol. Creates one guide.',
  flags: {
    url,
    token,
    username: {
      value: 'NAME',
      description: 'The user name of an account in which a guide may be created.',
    },
    password: { value: 'PASSWORD', description: 'The password of that account.' },
    credentials: {
      value: 'JSON',
      description:
        'The credentials of that account, where it has others than a user name and a password.',
    },
    earlier: {
      value: 'REFERENCE',
      description: "The reference of an earlier check's guide, which must still be found.",
    },
  },
  examples: [
    'courier check --url http://127.0.0.1:4000',
    'courier check --url https://connector.example --token SECRET --username shop --password SECRET',
    `courier check --url https://connector.example --credentials '{"api_key":"SECRET"}'`,
    'courier check --url http://127.0.0.1:4000 --earlier Check_6f1c2a9e-2d5b-4c1e-9a53-0a7b6f3d8e21',
  ],
  run: async ({ flags, write, asJson }) => {
    const address = readAddress('url', flags.get('url') ?? '', 'http://127.0.0.1:4000')
    const secret = flags.get('token')
    const [username, password] = [flags.get('username'), flags.get('password')]
    const given = credentialsIn(flags.get('credentials'))
    const earlier = flags.get('earlier')
    if ((username === undefined) !== (password === undefined)) {
      throw new UsageError('--username and --password must be given together.')
    }
    const checked = {
      url: address,
      ...(secret === undefined ? {} : { token: secret }),
    }
    const noAccount = { username: '', password: '' }
    await ask({ ...checked, credentials: noAccount }, 'describe', null).then(
      ({ status }) => throwIfTokenIsRefused(address, secret, status),
      (error: unknown) => throwIfUnreachable(address, error),
    )
    const report = await courierCheck({
      ...checked,
      ...(username === undefined || password === undefined
        ? {}
        : { credentials: { username, password } }),
      ...(given === null ? {} : { credentials: given }),
      ...(earlier === undefined ? {} : { earlier }),
      write: asJson ? () => undefined : write,
    })
    const { passed, failed, reference, results } = report
    return {
      json: { passed, failed, reference, results: results.map((result) => ({ ...result })) },
      // The results and totals were already written one by one.
      text: '',
      exit: failed > 0 ? 'found' : 'fine',
    }
  },
}
