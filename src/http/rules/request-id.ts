import type { IncomingMessage } from 'node:http'
import { customAlphabet } from 'nanoid'
import { base62Alphabet, idValueLength } from '../../domain/ids.ts'

const newValue = customAlphabet(base62Alphabet, idValueLength)
/** The form of our own: it is written into events, so it must have no room for a text. */
const clientsOwn = new RegExp(`^req_[0-9A-Za-z]{${idValueLength}}$`)

export function newRequestId(): string {
  return `req_${newValue()}`
}

/** The client's own id where it is a valid one: both sides then find the same line. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const own = request.headers['x-request-id']
  return typeof own === 'string' && clientsOwn.test(own) ? own : newRequestId()
}
