import { guideNumberForm } from '../../../src/service/domain/ids.ts'
import type { Ask } from './isolation-asks.ts'
import { kinds, nobody, type Reach, type World } from './isolation-worlds.ts'

export type Received = {
  readonly status: number
  readonly text: string
  readonly reason: string | null
}

/** Texts that only this workspace's rows contain. Plain numbers occur in many texts. */
export function canariesOf(world: World): readonly string[] {
  const named = kinds.filter((kind) => kind !== 'tag' && kind !== 'position')
  return [...named.map((kind) => world[kind]), ...world.secrets]
}

/** None of these may be returned, except the value that was sent. */
function notForCaller({ victims, own }: Reach): readonly string[] {
  const owned = new Set(canariesOf(own))
  return victims.flatMap(canariesOf).filter((text) => !owned.has(text))
}

/**
 * Callers also send the victims' request ids, and the service accepts any valid one: the caller's
 * own acts, webhooks and requests then have it.
 */
function isOwnAct({ path, reach }: Ask, text: string): boolean {
  return (
    /^\/v1\/(audit-events|events|requests)/.test(path) &&
    reach.victims.some(({ request }) => request === text)
  )
}

/** A request id sent as a header may therefore name one of the caller's own requests. */
function isOwnRequest({ position, kind, reach }: Ask, { status, reason }: Received): boolean {
  if (position.in !== 'path' || position.kind !== 'noted' || kind !== 'request') return false
  const isForbidden = status === 403 && reason === 'forbidden_scope'
  return status === 200 || (isForbidden && reach.name.endsWith('without scopes'))
}

const notFound = '404 not_found'
const forbidden = '403 forbidden_scope'
const unauthenticated = '401 unauthenticated'
const invalid = '422 validation_failed'
const sandboxOnly = '400 sandbox_only'
const emptyPage = '200 empty'

function inWords({ status, text, reason }: Received): string {
  if (reason !== null) return `${status} ${reason}`
  return status === 200 && text.includes('"data":[]') ? emptyPage : String(status)
}

/** What is wrong with the answer to a caller without access; null if nothing is. */
export function faultOf(ask: Ask, received: Received, never: Received | null): string | null {
  const failed = [received, never].find((one) => one !== null && one.status >= 500)
  if (failed) return `status ${failed.status}: ${failed.text}`
  const leak = notForCaller(ask.reach).find(
    (one) => one !== ask.value && !isOwnAct(ask, one) && received.text.includes(one),
  )
  if (leak !== undefined) return `tells ${leak}`
  const words = inWords(received)
  const wanted = wantedOf(ask)
  if (isOwnRequest(ask, received) && (wanted === null || wanted === notFound)) return null
  if (wanted !== null && wanted !== words) return `${words}, not ${wanted}`
  // The caller may have sent the id that never existed as a header before.
  return never === null || isOwnRequest(ask, never) ? null : differenceOf(ask, received, never)
}

/** Two creations differ in what they created, so for a header only the statuses are compared. */
function differenceOf(ask: Ask, received: Received, never: Received): string | null {
  const { reach, position, isOfVictim, value } = ask
  if (reach.name === 'own without scopes') return null
  const isSame =
    position.in === 'header' && !isOfVictim
      ? outcomeOf(received) === outcomeOf(never)
      : never.text.replaceAll(ask.never?.value ?? nobody.key, value) === received.text
  return isSame
    ? null
    : `another answer (${received.status}) than for what never existed (${never.status})`
}

/** An advance continues after its answer, and the next one reports that. */
function outcomeOf({ status, reason }: Received): string {
  return reason === 'clock_advancing' ? '202' : `${status} ${reason ?? ''}`.trim()
}

/** The expected answer; null if it must be the same as for an id that never existed. */
function wantedOf(ask: Ask): string | null {
  const { reach, operation, position, isOfVictim, kind } = ask
  if (reach.name === 'revoked' || reach.name === 'expired') return unauthenticated
  const isScoped = operation.security[0]?.bearer.length !== 0
  const isOwn = reach.name === 'own without scopes'
  if (isOfVictim) {
    const isFound = isOwn && (position.in === 'header' || kind === position.kind)
    return isFound && isScoped ? forbidden : notFound
  }
  // Otherwise the path names the caller's own resource, or none.
  if (reach.name.endsWith('without scopes') && isScoped) return forbidden
  if (isOwn || position.in === 'header') return null
  if (position.in === 'query') return wantedOfQuery(ask)
  return position.in === 'body' ? wantedOfBody(ask) : wantedOfCursor(ask)
}

function wantedOfQuery({ reach, position, kind, path }: Ask): string {
  // Acts and requests may also be filtered by a key that the caller cannot read.
  if (position.kind === 'credential' && kind === 'credential') return emptyPage
  const isText = ['reference', 'guide', 'key', 'operator'].includes(String(position.kind))
  if (isText) return reach.own === nobody && position.kind === 'key' ? notFound : emptyPage
  if (kind !== position.kind) return '400 invalid_filter'
  return isLiveClock(reach, path) ? sandboxOnly : notFound
}

function wantedOfBody({ reach, position, kind, path, value }: Ask): string {
  // The path names the caller's own operation: the courier is queried for the guide and has none
  // under its reference.
  if (position.kind === 'guide') {
    if (reach.own === nobody) return notFound
    return guideNumberForm.test(value) ? '422 guide_not_found' : invalid
  }
  if (kind !== position.kind) return path.includes(nobody.operation) ? notFound : invalid
  // A quote is one of the fields that a creation validates, together with the others; so is the
  // operator of an assignment. A key creates keys of its own operator only, whoever else exists.
  if (position.kind === 'quote' || position.kind === 'operator') {
    if (reach.own === nobody) return notFound
    return path === '/v1/keys' ? '422 operator_not_yours' : invalid
  }
  return isLiveClock(reach, path) ? sandboxOnly : notFound
}

/** A caller without resources uses unknown ids together with the cursor. */
function wantedOfCursor({ reach, path }: Ask): string {
  const beside = [
    nobody.shipment,
    nobody.connection,
    nobody.operation,
    nobody.batch,
    nobody.invoice,
  ]
  const isBeside = beside.some((id) => path.includes(id))
  return reach.own === nobody && isBeside ? notFound : '400 invalid_cursor'
}

function isLiveClock({ name }: Reach, path: string): boolean {
  return name === 'mode' && path.startsWith('/v1/sandbox/')
}
