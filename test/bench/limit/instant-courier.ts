import { randomBytes } from 'node:crypto'

/** The number of a guide that the courier creates at once. */
export async function createGuide(): Promise<string> {
  return `G${randomBytes(6).toString('hex')}`
}
