import stringify from 'json-stringify-pretty-compact'
import { apiOf } from '../../src/service/api.ts'
import { createServices } from '../../src/service/app.ts'
import { configurationPage } from '../../src/service/config.ts'
import { wholeDocument } from '../../src/service/http/openapi/openapi.ts'
import { shareParts } from '../../src/service/http/openapi/shared-parts.ts'
import { logger } from '../../src/service/security/logger.ts'
import { batchTemplate, invoiceTemplate } from '../../src/service/sheets/csv-text.ts'
import { changelogPage, changesFile, currentEntries } from './changes/changelog.ts'
import { clientPages } from './client-pages.ts'
import { eventSchemasFile, eventSchemasPage } from './event-schemas-page.ts'
import { httpCollection } from './http-collection.ts'
import { ledgerVectors } from './ledger-vectors.ts'
import { apiLimitsPage } from './pages/api-limits-page.ts'
import { batchColumnsPage } from './pages/batch-columns-page.ts'
import { errorsPage } from './pages/errors-page.ts'
import { eventsPage } from './pages/events-page.ts'
import { scenariosPage } from './pages/scenarios-page.ts'
import { type Described, scopesPage } from './pages/scopes-page.ts'
import { statesPage } from './pages/states-page.ts'
import { tamperingPage } from './pages/tampering-page.ts'
import { webhookEventsPage } from './pages/webhook-events-page.ts'
import { connectorOpenApi, connectorProtocolPage } from './protocol-docs.ts'
import { pythonClientPages } from './python-client-pages.ts'
import { roleScopesFile } from './role-scopes-file.ts'
import { schemaPage } from './schema-page.ts'
import { sheetFieldsFile } from './sheet-fields-file.ts'

const json = (document: object) => `${JSON.stringify(document, null, 2)}\n`
/** What fits on a line is on one line: half the size, and still readable in a diff. */
const compactJson = (document: object) =>
  `${stringify(document, { indent: '\t', maxLength: 100 })}\n`

type Generate = () => string | Promise<string>

/** Appends the source of a page to its end. */
function from(source: string, page: Generate): Generate {
  return async () =>
    `${(await page()).trimEnd()}\n\nGenerated from ${source} by \`npm run generate\`.\n`
}

/** Every generated file and its generator. `npm run generate` writes them; a test compares them. */
export const generatedPages: Readonly<Record<string, Generate>> = {
  [changesFile]: async () => json(currentEntries(await document())),
  'docs/api-limits.md': from('the constants in `src`', apiLimitsPage),
  'docs/batch-columns.md': from('the tables in `src/service/sheets`', batchColumnsPage),
  'docs/batch-template.csv': batchTemplate,
  'docs/invoice-template.csv': invoiceTemplate,
  'docs/changelog.md': from('`docs/openapi.json` and the document before it', async () =>
    changelogPage(currentEntries(await document())),
  ),
  'docs/configuration.md': configurationPage,
  'docs/connector-openapi.json': () => compactJson(connectorOpenApi()),
  'docs/connector-protocol.md': connectorProtocolPage,
  'docs/errors.md': from('`src/service/error-table.ts`', errorsPage),
  'docs/events.md': from('the schemas in `src/service/domain`', eventsPage),
  'docs/ledger-vectors.json': () => json(ledgerVectors()),
  'docs/openapi.json': async () =>
    compactJson(shareParts(structuredClone(await document()) as Record<string, unknown>)),
  'docs/scenarios.md': from('`src/service/couriers/scenarios/scenarios.ts`', scenariosPage),
  'docs/scopes.md': from('what the routes declare', async () =>
    scopesPage((await document()) as Described),
  ),
  'docs/states.md': from('the transition tables in `src/service/domain`', statesPage),
  'docs/shipping-ledger.http': async () =>
    httpCollection((await document()) as Parameters<typeof httpCollection>[0]),
  'docs/tampering.md': from('`test/prove/tamper`', tamperingPage),
  'docs/webhook-events.md': from(
    '`src/service/domain/webhooks` and the examples',
    webhookEventsPage,
  ),
  'src/console/setup/generated-roles.ts': roleScopesFile,
  'src/console/sheets/generated-fields.ts': sheetFieldsFile,
  'src/service/database/schema.sql': schemaPage,
  [eventSchemasFile]: eventSchemasPage,
  ...clientPages(() => document()),
  ...pythonClientPages(() => document()),
}

let made: Promise<object> | null = null

function document(): Promise<object> {
  made ??= apiDocument()
  return made
}

/** The OpenAPI document of the composed API: routes are registered; the database is not used. */
async function apiDocument(): Promise<object> {
  const log = logger({ level: 'silent', pretty: false })
  const key = Buffer.alloc(32)
  const parts = createServices({
    databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
    simulatorUrl: null,
    log,
    secrets: {
      secretsKey: key.toString('base64'),
      secretsKeyPrevious: [],
      apiKeyPepper: key,
      checkpointKey: key,
      checkpointKeyPrevious: null,
      simulatorKey: key,
    },
  })
  const { app, keys } = apiOf(parts, log)
  try {
    await app.ready()
    return wholeDocument(app)
  } finally {
    await app.close()
    await keys.close()
    await parts.close()
  }
}
