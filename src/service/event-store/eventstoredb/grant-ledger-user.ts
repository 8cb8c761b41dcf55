import {
  convertToCommandError,
  type EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
} from '@eventstore/db-client'
import service from '@eventstore/db-client/generated/users_grpc_pb.js'
import users from '@eventstore/db-client/generated/users_pb.js'
import { z } from 'zod'
import { closeClient, lastOf, openClient } from './eventstoredb-client.ts'
import { errorKind } from './eventstoredb-errors.ts'

/**
 * One-time setup by an administrator, so that the service need not be one: a user with the rights that
 * the ledger needs. EventStoreDB 23.10 has rights for `$all`, for one stream by its exact name, and
 * default rights for all user streams, but none for streams with a prefix.
 */

/** Rights are granted to this group, so that several users can have them. */
const ledgerGroup = 'shipping-ledger'
const fullName = 'The service shipping-ledger'
const admins = '$admins'
const allUsers = '$all'
const callMs = 10_000

const roles = z.union([z.string().transform((role) => [role]), z.array(z.string())]).optional()
const acl = z.object({ $r: roles, $w: roles, $d: roles, $mr: roles, $mw: roles })
const metadata = z.looseObject({ $acl: acl.optional() })
const settings = z.looseObject({ $userStreamAcl: acl.optional() })
type Acl = z.output<typeof acl>

/** A stream of the server whose last event defines rights. */
type RightsStream<T> = {
  readonly stream: string
  readonly type: string
  readonly schema: z.ZodType<T>
}
const readRights = { stream: '$$$all', type: '$metadata', schema: metadata }
const defaultRights = { stream: '$settings', type: 'update-default-acl', schema: settings }

/**
 * Creates the user, or sets this password for an existing one, and grants the rights that the ledger
 * needs: reading `$all`, and reading and writing streams. Unless the server's defaults are kept, only
 * this group has those rights afterwards, and only administrators may delete streams or change their
 * metadata. Safe to repeat. Rejects with the client's errors.
 */
export async function grantLedgerUser(
  adminUrl: string,
  user: { readonly name: string; readonly password: string },
  options: { readonly keepDefaults: boolean },
): Promise<void> {
  const client = openClient(adminUrl)
  try {
    await makeUser(client, user)
    await change(client, readRights, (before) => ({
      ...before,
      $acl: { ...before.$acl, $r: added(before.$acl?.$r ?? [admins]) },
    }))
    const { keepDefaults } = options
    await change(client, defaultRights, (before) => {
      const now = before.$userStreamAcl ?? {}
      return { ...before, $userStreamAcl: keepDefaults ? widened(now) : narrowed(now) }
    })
  } finally {
    await closeClient(client)
  }
}

function added(before: readonly string[]): string[] {
  return [...new Set([...before, ledgerGroup])]
}

/** Removes rights granted to all users; rights granted to a user or group by name stay. */
function narrowed(before: Acl): Acl {
  const given = (named: string[] | undefined) => (named?.includes(allUsers) ? undefined : named)
  return {
    $r: added(given(before.$r) ?? []),
    $w: added(given(before.$w) ?? []),
    $d: given(before.$d) ?? [admins],
    $mr: given(before.$mr) ?? [admins],
    $mw: given(before.$mw) ?? [admins],
  }
}

/** Adds nothing if streams are already open to all users. */
function widened(before: Acl): Acl {
  const given = (named: string[] | undefined) =>
    named === undefined || named.includes(allUsers) ? named : added(named)
  return { ...before, $r: given(before.$r), $w: given(before.$w) }
}

/** Writes the next rights, unless they are unchanged. */
async function change<T>(
  client: EventStoreDBClient,
  { stream, type, schema }: RightsStream<T>,
  next: (before: T) => T,
): Promise<void> {
  const last = await lastOf(client, stream)
  const before = schema.parse(last?.data ?? {})
  const data: Record<string, unknown> = JSON.parse(JSON.stringify(next(before)))
  if (JSON.stringify(data) === JSON.stringify(before)) return
  await client.appendToStream(stream, jsonEvent({ type, data }), {
    expectedRevision: last?.revision ?? NO_STREAM,
    requiresLeader: true,
    deadline: callMs,
  })
}

/** If the user already exists with this password, the server confirms the creation and changes nothing. */
async function makeUser(
  client: EventStoreDBClient,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<void> {
  const { CreateReq, ResetPasswordReq, UpdateReq, EnableReq } = users
  const create = new CreateReq.Options().setLoginName(name).setPassword(password)
  create.setFullName(fullName).setGroupsList([ledgerGroup])
  try {
    await callUsers(client, 'create', new CreateReq().setOptions(create))
  } catch (error) {
    if (errorKind(error) !== 'user-conflict') throw error
    const reset = new ResetPasswordReq.Options().setLoginName(name).setNewPassword(password)
    await callUsers(client, 'resetPassword', new ResetPasswordReq().setOptions(reset))
  }
  const update = new UpdateReq.Options().setLoginName(name).setFullName(fullName)
  await callUsers(client, 'update', new UpdateReq().setOptions(update.setGroupsList([ledgerGroup])))
  const enable = new EnableReq.Options().setLoginName(name)
  await callUsers(client, 'enable', new EnableReq().setOptions(enable))
}

type Call = (...args: readonly unknown[]) => void
type Hidden = {
  execute<T>(
    stub: unknown,
    name: string,
    act: (client: Record<string, Call>) => Promise<T>,
  ): Promise<T>
  callArguments(options: { readonly requiresLeader: boolean; readonly deadline: number }): unknown[]
}

/** Calls the users service, for which the client has a stub but no method. */
async function callUsers(
  client: EventStoreDBClient,
  name: string,
  request: unknown,
): Promise<void> {
  const { execute, callArguments } = client as unknown as Hidden
  const options = callArguments({ requiresLeader: true, deadline: callMs })
  await execute(service.UsersClient, name, async (stub) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    stub[name]?.(
      request,
      ...options,
      (error: Parameters<typeof convertToCommandError>[0] | null) => {
        if (error === null) resolve()
        else reject(convertToCommandError(error))
      },
    )
    await promise
  })
}
