import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Problem } from '../../errors.ts'
import { networkOf } from '../../security/rate-limit.ts'
import type { App, ServerDeps, SignInDeps } from '../api-services.ts'
import type { SignInRefusal } from './sign-in.ts'

/** Requests of one network in a minute: many people of an office, three for each sign-in. */
const perMinuteMax = 120

const hidden = { hide: true } as const
/** 32 bytes in base64url. */
const secretForm = /^[\w-]{43}$/

const startQuery = z.object({
  challenge: z.string().regex(secretForm),
  mode: z.enum(['test', 'live']),
  again: z.literal('1').optional(),
})
const redemption = z.strictObject({
  code: z.string().regex(secretForm),
  verifier: z.string().regex(secretForm),
  organization_id: z.string().max(64).optional(),
})

/** A person sees a page and no JSON, whatever fails. */
async function shown<T>(
  request: FastifyRequest,
  work: () => Promise<T>,
): Promise<T | SignInRefusal> {
  try {
    return await work()
  } catch (err) {
    request.log.error({ err }, 'a sign-in failed')
    return 'service_away'
  }
}

/**
 * The console's own routes, below its pages. They lead to the issuer and back; what they say is in
 * the fragment of the console's address, which no server sees, and the console removes it.
 */
export function signInRoutes(
  app: App,
  { signIn, rate }: SignInDeps,
  failures: ServerDeps['failures'],
): void {
  const isTooFast = ({ ip }: FastifyRequest) => !rate.take(networkOf(ip), perMinuteMax).isAllowed
  const refuse = (request: FastifyRequest, reply: FastifyReply, refusal: SignInRefusal) => {
    failures.count(request.ip, null)
    return reply.redirect(`/console#refused=${refusal}`, 303)
  }
  app.route({
    method: 'GET',
    url: '/console/sign-in/start',
    schema: hidden,
    handler: async (request, reply) => {
      if (isTooFast(request)) return refuse(request, reply, 'too_many')
      const query = startQuery.safeParse(request.query)
      if (!query.success) return reply.redirect('/console', 303)
      const { challenge, mode, again } = query.data
      const livemode = mode === 'live'
      const started = await shown(request, () =>
        signIn.start({ challenge, livemode, again: again === '1' }),
      )
      return typeof started === 'string'
        ? refuse(request, reply, started)
        : reply.redirect(started.href, 303)
    },
  })
  app.route({
    method: 'GET',
    url: '/console/sign-in/callback',
    schema: hidden,
    handler: async (request, reply) => {
      if (isTooFast(request)) return refuse(request, reply, 'too_many')
      const [, query = ''] = request.url.split('?', 2)
      const answer = await shown(request, () =>
        signIn.finish(new URLSearchParams(query), request.id),
      )
      return typeof answer === 'string'
        ? refuse(request, reply, answer)
        : reply.redirect(`/console#sign-in=${answer.code}`, 303)
    },
  })
  app.route({
    method: 'POST',
    url: '/console/sign-in/key',
    schema: hidden,
    handler: async (request, reply) => {
      const body = redemption.safeParse(request.body)
      if (isTooFast(request)) throw new Problem('rate_limited')
      const redeemed = body.success
        ? await signIn.redeem(
            { ...body.data, organizationId: body.data.organization_id },
            request.id,
          )
        : null
      if (redeemed !== null) return reply.code(201).send(redeemed)
      failures.count(request.ip, null)
      throw new Problem('unauthenticated')
    },
  })
}
