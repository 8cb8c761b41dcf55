import Fastify, { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { Problem } from '../errors.ts'
import type { App, ServerDeps } from './api-services.ts'
import { publicTreeRoutes } from './ledger/public-tree-routes.ts'
import { documentation, openApi } from './openapi/openapi.ts'
import { headersOfAll, refuseConnection, replyWithError } from './problems/problem-reply.ts'
import { recipientPageRoutes } from './recipient-page/recipient-page-routes.ts'
import { asCaller, authenticateHook } from './rules/authenticate.ts'
import { readLargeBodiesFairly } from './rules/bodies/large-bodies.ts'
import { largeBodyLimits } from './rules/bodies/large-body-limits.ts'
import { discardLimits, endAfterRest } from './rules/discard-rest.ts'
import { drain } from './rules/drain.ts'
import { headerCount } from './rules/header-count.ts'
import { jsonBodies } from './rules/json-body.ts'
import { knownPaths } from './rules/known-paths.ts'
import { eventLoopLateness, shedWhenLate } from './rules/overload.ts'
import { requestIdOf } from './rules/request-id.ts'
import { isNotModified, refuseStaleRead, tagPage, tagVersion } from './rules/resources/etag.ts'
import { findResource, resolvePrecedence } from './rules/resources/resource.ts'
import {
  announceDeprecation,
  completeRoute,
  refuseMalformedQuery,
  refuseUnacceptable,
  refuseUnsupportedPrecondition,
  refuseUnwantedBody,
} from './rules/route-rules.ts'
import { validatorCompiler } from './rules/validation.ts'
import { builtPages, consolePages, docsPages } from './service/built-pages.ts'
import { healthRoutes } from './service/health-routes.ts'
import { signInRoutes } from './sign-in/sign-in-routes.ts'

/*
 * The pattern of a route. Each operation is a file in its resource's folder, named after its
 * operationId: `create-thing.ts` has what only this operation uses, `thing-schema.ts` what several
 * share. It exports `createThingRoute(app, deps)`, which is in the list of routes.ts and calls
 * `app.route({ method, url, config, schema, handler })`. A route in a scope of its own returns a
 * promise, so that it keeps its place in the document.
 *   schema    params `pathId('shp')`, body `z.strictObject`, querystring `listQuery({ filters })`,
 *             response { 200: a z.object } (fields that it does not name are not sent), operationId,
 *             tags, summary, description. Every schema has a description in its `meta`, a body also
 *             an example. Query strictness, security and the common problems are added here.
 *   config    `collectionScope` for collections, checked before the body is read. `resource` for a
 *             single resource: it is found (404), then its scope is checked (403), and both come
 *             before any other refusal; the handler gets what was found with `of(request)`.
 *             `problems` names the route's own reasons, `produces` a content type other than JSON,
 *             `isIdempotent` an optional Idempotency-Key (create the resource through `idempotentCreate`),
 *             `isVersioned` an ETag on the answer, with If-None-Match or If-Match.
 *   handler   `authenticated(request).principal` is the caller. Refuse with `throw new Problem`.
 *             `listNewestFirst` answers a list, `answerList` one in another order.
 *             `parseIdempotencyKey` reads the key. Resources that keys create and change as rows
 *             share `administered`.
 */
export type RegisterRoutes = (app: App) => unknown

/**
 * Enough for every body of the API, except those with a limit of their own; bounds a request's
 * cost.
 */
const bodyLimitBytes = 64 * 1024
const headersLimitBytes = 16 * 1024
/** The whole request must have arrived within this time. */
const requestTimeoutMs = 40_000
const headersTimeoutMs = 10_000
/** How often Node looks for slow requests: a timeout is at most this late. */
const slowCheckMs = 2_000
/** For a socket without traffic, including a handler that hangs; longer than any request. */
const connectionTimeoutMs = 60_000
/** Longer than a load balancer's usual 60 s, so that the balancer closes first. */
const keepAliveTimeoutMs = 72_000
/** So that connections move to new processes after a while. */
const requestsPerSocketMax = 1_000
/**
 * An idle socket costs a few KiB. Connections beyond this number are refused before they cost
 * anything.
 */
const connectionsMax = 4_096
/** The longest id is 64 characters. */
const pathPartLengthMax = 128

/** The application, not yet listening. `close()` lets requests in progress finish. */
export function buildServer(deps: ServerDeps, routes: readonly RegisterRoutes[]): App {
  const app = newApp(deps)
  const paths = knownPaths()
  const { isDraining } = drain(app, deps.stopping)
  const lateness = deps.lateness ?? eventLoopLateness()
  app.addHook('onClose', async () => lateness.stop())
  app.addHook('onRoute', (route) => {
    paths.note(route)
    if (route.url.startsWith('/v1/')) completeRoute(route)
  })
  answerInOneShape(app, paths)
  deps.tracing?.instrument(app)
  everyAnswer(app, deps, isDraining)
  openApi(app)
  app.register(async (scope) => {
    await scope.register(async (outside) => {
      healthRoutes(outside as App, deps, isDraining)
      documentation(outside)
    })
    const { pagesFolder, publicTree, recipientPage, signIn } = deps
    if (recipientPage !== undefined) {
      await scope.register(async (page) => {
        shedWhenLate(page, lateness)
        recipientPageRoutes(page as App, recipientPage)
      })
    }
    if (publicTree !== undefined) {
      await scope.register(async (tree) => {
        shedWhenLate(tree, lateness)
        publicTreeRoutes(tree as App, publicTree)
      })
    }
    if (pagesFolder !== undefined) {
      await scope.register(async (inBrowser) => {
        await builtPages(inBrowser)
        consolePages(inBrowser, pagesFolder, signIn === undefined ? 'key' : 'account')
        if (signIn !== undefined) signInRoutes(inBrowser as App, signIn, deps.failures)
        docsPages(inBrowser, pagesFolder)
      })
    }
    await scope.register(async (v1) => {
      shedWhenLate(v1, lateness)
      v1.addHook('onRequest', announceDeprecation)
      v1.addHook('onRequest', authenticateHook(deps))
      v1.addHook('onRequest', refuseUnacceptable)
      v1.addHook('onRequest', refuseMalformedQuery)
      readLargeBodiesFairly(v1, deps.largeBodies ?? largeBodyLimits)
      v1.addHook('preValidation', refuseUnwantedBody)
      v1.addHook('preValidation', refuseUnsupportedPrecondition)
      v1.addHook('preSerialization', tagVersion)
      v1.addHook('preHandler', (request, _reply, done) => asCaller(request, done))
      v1.addHook('preHandler', findResource)
      for (const register of routes) {
        const registered = register(v1 as App)
        // An app is a thenable that waits for this very plugin, so only a promise is awaited.
        if (registered instanceof Promise) await registered
      }
    })
  })
  return app
}

function newApp({ log, trustedProxies = [] }: ServerDeps): App {
  const app = Fastify({
    loggerInstance: log,
    // Any client can send X-Forwarded-For, so it is read only when proxies are listed.
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: requestIdOf,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: connectionTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    maxRequestsPerSocket: requestsPerSocketMax,
    routerOptions: { maxParamLength: pathPartLengthMax },
    return503OnClosing: false,
    http: {
      maxHeaderSize: headersLimitBytes,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: slowCheckMs,
      // A missing Host is refused below, in the shape that all errors have.
      requireHostHeader: false,
    },
    clientErrorHandler: refuseConnection,
    frameworkErrors: (error, request, reply) => {
      // No hook runs for a path that cannot be decoded.
      reply.headers(headersOfAll(request.id))
      // A path that cannot be decoded reaches no route. A page redirects to one that says so.
      const [, pages] = /^(\/console|\/docs|\/t)\//.exec(request.url) ?? []
      const isPage = error.code === 'FST_ERR_BAD_URL' && pages !== undefined
      if (isPage) reply.redirect(`${pages}/no-such-page`)
      else replyWithError(error, request, reply)
    },
  })
  // An unknown expectation must not get an answer in another shape.
  app.server.on('checkExpectation', (request, reply) => app.server.emit('request', request, reply))
  app.server.maxConnections = connectionsMax
  return app.withTypeProvider<ZodTypeProvider>()
}

function answerInOneShape(app: App, paths: ReturnType<typeof knownPaths>): void {
  jsonBodies(app)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = await asCaller(request, () => resolvePrecedence(error, request))
    replyWithError(refusal, request, reply)
    return reply
  })
  app.setNotFoundHandler((request) => paths.refuse(request))
}

function everyAnswer(app: App, deps: ServerDeps, isDraining: () => boolean): void {
  app.decorateRequest('principal', null)
  app.decorateRequest('refusal', null)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOfAll(request.id))
    if (headerCount(request, 'host') > 1) {
      throw new Problem('invalid_request', { detail: 'The Host header occurs twice.' })
    }
    if (request.raw.httpVersion !== '1.0' && request.headers.host === undefined) {
      throw new Problem('invalid_request', { detail: 'The Host header is missing.' })
    }
    const coding = request.headers['transfer-encoding']
    if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
      throw new Problem('invalid_request', {
        detail: 'The body may be chunked but not compressed or otherwise encoded.',
      })
    }
    if (headerCount(request, 'content-type') > 1) {
      throw new Problem('invalid_request', { detail: 'The Content-Type header occurs twice.' })
    }
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (isDraining()) reply.header('connection', 'close')
    tagPage(request, reply, payload)
    refuseStaleRead(request, reply, payload)
    if (!isNotModified(request, reply)) {
      return endAfterRest(request, reply, payload, deps.discard ?? discardLimits)
    }
    reply.code(304).removeHeader('content-length').removeHeader('content-type')
    return null
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const { method } = request
    const seconds = reply.elapsedTime / 1_000
    deps.metrics.request({ method, route, status: reply.statusCode, seconds })
    noteRequest(deps, request, reply)
    const served = { method, route, status: reply.statusCode, durationMs: reply.elapsedTime }
    request.log.info(served, 'request served')
  })
}

/**
 * Records the request for `GET /v1/requests`. One without a known key belongs to no organization.
 */
function noteRequest(
  { requestLog }: Pick<ServerDeps, 'requestLog'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { principal, refusal, id, method } = request
  if (principal === null || requestLog === undefined) return
  const route = (request.routeOptions.url ?? 'unknown').replace(/:(\w+)/g, '{$1}')
  const noted = {
    id,
    method,
    route,
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    reason: refusal?.reason ?? null,
    outcome: refusal?.outcome ?? null,
  }
  requestLog.note(noted, principal)
}
