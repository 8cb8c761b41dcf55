import type { IncomingMessage } from 'node:http'
import { customAlphabet } from 'nanoid'
import { base62Alphabet, idValueLength } from '../../domain/ids.ts'

const newValue = customAlphabet(base62Alphabet, idValueLength)
/** The form of our own ids. Ids are written into events, so the form leaves no room for text. */
const clientsOwn = new RegExp(`^req_[0-9A-Za-z]{${idValueLength}}$`)

export function newRequestId(): string {
  return `req_${newValue()}`
}

/** The client's own id if it is valid, so that both sides find the same log line. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const own = request.headers['x-request-id']
  return typeof own === 'string' && clientsOwn.test(own) ? own : newRequestId()
}
