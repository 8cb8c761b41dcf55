import type { IncomingMessage } from 'node:http'
import { customAlphabet } from 'nanoid'
import { base62Alphabet, idValueLength } from '../domain/ids.ts'

const newValue = customAlphabet(base62Alphabet, idValueLength)
const clientsOwn = /^[A-Za-z0-9_-]{1,128}$/

export function newRequestId(): string {
  return `req_${newValue()}`
}

/** The client's own id where it is a valid one: both sides then find the same line. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const own = request.headers['x-request-id']
  return typeof own === 'string' && clientsOwn.test(own) ? own : newRequestId()
}
