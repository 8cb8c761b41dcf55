import { configurationPage } from '../../src/config.ts'
import { connectorOpenApi, connectorProtocolPage } from '../../src/couriers/protocol-docs.ts'
import { errorsPage } from '../../src/errors.ts'
import { scenariosPage } from './scenarios-page.ts'
import { schemaSnapshot } from './schema-snapshot.ts'

const json = (document: object) => `${JSON.stringify(document, null, 2)}\n`

/** Every file that the code writes, and how. `npm run generate` writes them, a test compares them. */
export const generatedPages: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/configuration.md': configurationPage,
  'docs/connector-openapi.json': () => json(connectorOpenApi()),
  'docs/connector-protocol.md': connectorProtocolPage,
  'docs/errors.md': errorsPage,
  'docs/scenarios.md': scenariosPage,
  'src/database/schema.sql': schemaSnapshot,
}
