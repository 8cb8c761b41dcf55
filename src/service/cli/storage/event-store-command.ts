import { randomBytes } from 'node:crypto'
import { readConfig } from '../../config.ts'
import { credentialsOf } from '../../event-store/eventstoredb/eventstoredb-client.ts'
import { grantLedgerUser } from '../../event-store/eventstoredb/grant-ledger-user.ts'
import { troubleOf } from '../../event-store/eventstoredb/troubles.ts'
import { StartError } from '../../start-error.ts'
import { type Command, CommandFailed, UsageError } from '../command.ts'

/** The server's own users, which have too many rights for the service. */
const serversOwn = new Set(['admin', 'ops'])
const namePattern = /^[a-z0-9][a-z0-9_-]{0,63}$/
const passwordBytes = 24

export const eventStoreUserCreate: Command = {
  name: 'event-store user create',
  summary: "Creates the service's user in EventStoreDB, with the rights the ledger needs.",
  flags: {
    name: {
      value: 'NAME',
      description:
        'The name of the user; a password is generated and shown once. Default: the user of EVENT_STORE_URL.',
    },
    'keep-defaults': {
      description:
        'Keeps the default rights on streams, because other applications use this server.',
    },
  },
  examples: ['event-store user create', 'event-store user create --name ledger'],
  run: async ({ flags }) => {
    const { eventStoreUrl, eventStoreAdminUrl } = readConfig()
    if (eventStoreAdminUrl === undefined) {
      throw new CommandFailed(
        'EVENT_STORE_ADMIN_URL is not set. Set it to the address of EventStoreDB with the user name and password of an administrator.',
      )
    }
    const user = userOf(flags.get('name'), eventStoreUrl)
    const keepDefaults = flags.has('keep-defaults')
    await grantLedgerUser(eventStoreAdminUrl, user, { keepDefaults }).catch((error: unknown) => {
      throw failure(error, eventStoreAdminUrl)
    })
    const defaults = keepDefaults ? 'kept' : 'narrowed'
    const password = user.isNew ? user.password : null
    return {
      json: { name: user.name, defaults, password },
      text: `${user.name} is a user of EventStoreDB. ${rights[defaults]}${
        password === null ? '' : `\nIts password, shown once: ${password}`
      }`,
    }
  },
}

const rights = {
  narrowed:
    'Only its group, and the users that were named before, may read $all and read and write streams. Only administrators may delete streams or change their metadata.',
  kept: 'It may read $all and read and write streams; all other default rights are unchanged.',
}

type User = { readonly name: string; readonly password: string; readonly isNew: boolean }

function userOf(name: string | undefined, url: string | undefined): User {
  const given = url === undefined ? null : credentialsOf(url)
  if (name === undefined && given === null) {
    throw new UsageError('--name is missing, and EVENT_STORE_URL names no user.')
  }
  if (name !== undefined && given !== null && given.name !== name) {
    throw new UsageError('--name differs from the user of EVENT_STORE_URL. Leave it out.')
  }
  const user: User =
    given === null
      ? {
          name: name ?? '',
          password: randomBytes(passwordBytes).toString('base64url'),
          isNew: true,
        }
      : { ...given, isNew: false }
  if (serversOwn.has(user.name)) {
    throw new UsageError(`${user.name} is one of the server's own users. Choose another name.`)
  }
  if (!namePattern.test(user.name)) {
    throw new UsageError(
      'A name is 1 to 64 of a-z, 0-9, - and _, and begins with a letter or digit.',
    )
  }
  return user
}

/** The same messages as at the service's start, but about EVENT_STORE_ADMIN_URL. */
function failure(error: unknown, url: string): unknown {
  const about = (sentence: string) =>
    sentence.replaceAll(/EVENT_STORE_URL/g, 'EVENT_STORE_ADMIN_URL')
  if (error instanceof StartError) return new CommandFailed(about(error.message))
  const trouble = troubleOf(error, 'append', url)
  if (trouble?.code === 'may_not_write') {
    return new CommandFailed(
      'The user of EVENT_STORE_ADMIN_URL is not an administrator of EventStoreDB. Use one of the group $admins.',
    )
  }
  if (trouble?.code === 'user_rejected') {
    return new CommandFailed(
      'EventStoreDB does not accept the user name and password in EVENT_STORE_ADMIN_URL. Correct them.',
    )
  }
  const sentence =
    trouble?.sentence ??
    'The event store does not answer: check that it is running and that EVENT_STORE_URL is its address.'
  return new CommandFailed(about(sentence), { cause: error })
}
