import service from '@eventstore/db-client/generated/users_grpc_pb.js'
import users from '@eventstore/db-client/generated/users_pb.js'
import type grpc from '@grpc/grpc-js'
import { z } from 'zod'
import type { StandInLog } from './log.ts'
import { type Refusal, refusals, userRefusal } from './messages.ts'

type User = { password: string; groups: readonly string[] }
type Action = 'read' | 'write'

const admins = '$admins'
const everybody = '$all'

/** An ACL entry as the server stores it: one role, or several. */
const roles = z.union([z.string().transform((role) => [role]), z.array(z.string())]).optional()
const acl = z.object({ $r: roles, $w: roles, $mr: roles, $mw: roles })
type Acl = z.output<typeof acl>
const metadata = z.object({ $acl: acl.optional() })
const settings = z.object({ $userStreamAcl: acl.optional(), $systemStreamAcl: acl.optional() })

const onlyFor = (role: string): Acl => ({ $r: [role], $w: [role], $mr: [role], $mw: [role] })

/**
 * Users and rights as in EventStoreDB 23.10: administrators may do everything; for others the
 * stream's own list applies, otherwise the server's default in `$settings`, otherwise the built-in
 * rights.
 */
export class StandInAccess {
  readonly #log: StandInLog
  readonly #users = new Map<string, User>([['admin', { password: 'changeit', groups: [admins] }]])

  constructor(log: StandInLog) {
    this.#log = log
  }

  add(name: string, password: string): void {
    this.#users.set(name, { password, groups: [] })
  }

  /** The refusal without valid credentials or the right for the stream; null if allowed. */
  refusal(call: grpc.Metadata, action: Action, stream: string): Refusal | null {
    const asked = this.#rolesOf(call)
    if (asked === 'unknown') return refusals.unauthenticated
    if (asked === null) return refusals.accessDenied
    if (asked.includes(admins)) return null
    const allowed = this.#allowed(action, stream)
    return allowed.some((role) => role === everybody || asked.includes(role))
      ? null
      : refusals.accessDenied
  }

  /** Serves user management for administrators. */
  serve(server: grpc.Server): void {
    server.addService(service.UsersService, {
      create: this.#byAdmin((options: users.CreateReq.Options) => {
        const name = options.getLoginName()
        const [password, groups] = [options.getPassword(), options.getGroupsList()]
        const there = this.#users.get(name)
        // With the current password the server answers success and changes nothing.
        if (there !== undefined && there.password !== password) {
          return userRefusal('user-conflict', name)
        }
        if (there === undefined) this.#users.set(name, { password, groups })
        return new users.CreateResp()
      }),
      update: this.#byAdmin((options: users.UpdateReq.Options) => {
        const user = this.#users.get(options.getLoginName())
        if (user === undefined) return userRefusal('user-not-found', options.getLoginName())
        user.groups = options.getGroupsList()
        return new users.UpdateResp()
      }),
      resetPassword: this.#byAdmin((options: users.ResetPasswordReq.Options) => {
        const user = this.#users.get(options.getLoginName())
        if (user === undefined) return userRefusal('user-not-found', options.getLoginName())
        user.password = options.getNewPassword()
        return new users.ResetPasswordResp()
      }),
      enable: this.#byAdmin(() => new users.EnableResp()),
    })
  }

  #byAdmin<Options, Answer>(act: (options: Options) => Answer | Refusal) {
    type Request = { getOptions(): Options | undefined }
    return (
      call: grpc.ServerUnaryCall<Request, Answer>,
      answer: (refusal: Refusal | null, answer?: Answer) => void,
    ) => {
      const asked = this.#rolesOf(call.metadata)
      const options = call.request.getOptions()
      if (asked === 'unknown') return answer(refusals.unauthenticated)
      if (!asked?.includes(admins) || options === undefined) return answer(refusals.accessDenied)
      const done = act(options)
      if (isRefusal(done)) answer(done)
      else answer(null, done)
    }
  }

  /** Name and groups; null without credentials. */
  #rolesOf(call: grpc.Metadata): readonly string[] | 'unknown' | null {
    const [header] = call.get('authorization')
    if (header === undefined) return null
    const text = Buffer.from(String(header).replace(/^Basic /, ''), 'base64').toString()
    const [, name = '', password] = /^([^:]*):(.*)$/s.exec(text) ?? []
    const user = this.#users.get(name)
    return user === undefined || user.password !== password ? 'unknown' : [name, ...user.groups]
  }

  #allowed(action: Action, stream: string): readonly string[] {
    const isMetadata = stream.startsWith('$$')
    const of = isMetadata ? stream.slice(2) : stream
    const key = `$${isMetadata ? 'm' : ''}${action === 'read' ? 'r' : 'w'}` as keyof Acl
    const isSystem = of.startsWith('$')
    const own = this.#last(`$$${of}`, metadata)?.$acl
    const defaults = this.#last('$settings', settings)
    const set = isSystem ? defaults?.$systemStreamAcl : defaults?.$userStreamAcl
    return own?.[key] ?? set?.[key] ?? onlyFor(isSystem ? admins : everybody)[key] ?? []
  }

  #last<T>(stream: string, schema: z.ZodType<T>): T | undefined {
    const last = this.#log.stream(stream).at(-1)
    if (last === undefined) return undefined
    return schema.parse(JSON.parse(Buffer.from(last.data).toString()))
  }
}

function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'details' in answer
}
