import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../support/source-files.ts'
import { eventSchemas, nextSnapshot, type Snapshot, schemasNow } from './schema-changes.ts'

export const eventSchemasFile = 'test/domain/fixtures/event-schemas.json'

export function committedSchemas(): Snapshot {
  const path = join(projectRoot, eventSchemasFile)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

/** The content of the file; a forbidden change is not written, so that the test still finds it. */
export function eventSchemasPage(): string {
  return `${JSON.stringify(nextSnapshot(committedSchemas(), schemasNow(eventSchemas)), null, 2)}\n`
}
