/** A page in the sidebar. */
type Listed = {
  /** The path below `/docs`. The document is in the folder `docs`, as `<path>.md`. */
  readonly path: string
  /** The word in the sidebar. */
  readonly word: string
  /** What the page is for, in one sentence. */
  readonly purpose: string
}

type Group = { readonly title: string; readonly pages: readonly Listed[] }

/** The API reference is no document: it is drawn from the OpenAPI document in the browser. */
export const referencePath = 'reference'

/**
 * The sidebar. Every other document in the folder `docs` is a page too, which only links and the
 * search lead to. A listed document that does not exist yet is left out.
 */
export const siteMap: readonly Group[] = [
  {
    title: 'Start',
    pages: [
      {
        path: 'guides/quick-start',
        word: 'Quick start',
        purpose: 'From nothing to the first guide, and a lost answer that becomes one.',
      },
      {
        path: 'guides/authentication',
        word: 'Authentication',
        purpose: 'Keys, modes, scopes and operators.',
      },
      {
        path: 'guides/typescript-client',
        word: 'TypeScript client',
        purpose: 'The typed client, its retries, and how it verifies webhooks.',
      },
      {
        path: 'guides/python-client',
        word: 'Python client',
        purpose: 'The same for Python, without dependencies.',
      },
      {
        path: 'guides/generated-clients',
        word: 'Generated clients',
        purpose: 'What generators make of the OpenAPI document.',
      },
    ],
  },
  {
    title: 'Guides',
    pages: [
      {
        path: 'guides/idempotency',
        word: 'Idempotency',
        purpose: 'One key, one guide: what to send again, and what comes back.',
      },
      {
        path: 'guides/what-to-do-with-a-409',
        word: 'What to do with a 409',
        purpose: 'What each conflict says about the shipment, and the next step.',
      },
      {
        path: 'guides/tracking',
        word: 'Tracking',
        purpose: 'Where the parcel is, and how often that is asked.',
      },
      {
        path: 'guides/webhooks',
        word: 'Webhooks',
        purpose: 'Events sent to your server: types, signatures, retries and alerts.',
      },
      {
        path: 'guides/bulk',
        word: 'Shipping in bulk',
        purpose: 'Batches from a file, their labels, and the list to sign with them.',
      },
      {
        path: 'guides/courier-invoices',
        word: "Courier's invoices",
        purpose: 'What a courier bills, compared with the ledger line by line.',
      },
      {
        path: 'guides/personal-data',
        word: 'Personal data',
        purpose: 'What is stored about a recipient, for how long, and how it is erased.',
      },
      {
        path: 'guides/versioning',
        word: 'Versions',
        purpose: 'What may change within a version, and how a change is announced.',
      },
    ],
  },
  {
    title: 'Reference',
    pages: [
      {
        path: referencePath,
        word: 'API reference',
        purpose: 'Every route, parameter, field and answer.',
      },
      { path: 'errors', word: 'Errors', purpose: 'Every reason, and what to do about it.' },
      {
        path: 'webhook-events',
        word: 'Webhook events',
        purpose: 'Every type, when it is sent, and a whole body.',
      },
      { path: 'events', word: 'Ledger events', purpose: 'Every event of a shipment’s history.' },
      {
        path: 'scenarios',
        word: 'Sandbox scenarios',
        purpose: 'What the simulated courier can play.',
      },
      {
        path: 'states',
        word: 'States',
        purpose: 'The states of operations, shipments and tracking.',
      },
      { path: 'scopes', word: 'Scopes', purpose: 'What each scope of a key allows.' },
      { path: 'api-limits', word: 'API limits', purpose: 'What a client of the API can meet.' },
      { path: 'changelog', word: 'Changelog', purpose: 'What changed in the API, and when.' },
    ],
  },
  {
    title: 'Evidence',
    pages: [
      {
        path: 'guides/audit',
        word: 'Auditing the ledger',
        purpose: 'How to check a history without trusting the service.',
      },
      {
        path: 'guides/ledger-format',
        word: 'The format of evidence',
        purpose: 'Everything that a verifier needs, in any language.',
      },
      { path: 'tampering', word: 'Tampering', purpose: 'Which change each check finds.' },
      { path: 'security', word: 'Security', purpose: 'What is protected, and from which attacks.' },
    ],
  },
  {
    title: 'Running it',
    pages: [
      { path: 'guides/operating', word: 'Operating', purpose: 'The runbook.' },
      { path: 'configuration', word: 'Configuration', purpose: 'Every environment variable.' },
      { path: 'monitoring', word: 'Monitoring', purpose: 'Alerts and a dashboard.' },
      { path: 'guides/eventstoredb', word: 'EventStoreDB', purpose: 'The ledger in EventStoreDB.' },
      { path: 'scaling', word: 'Scaling', purpose: 'What grows with what.' },
      {
        path: 'guides/connect-a-courier',
        word: 'Connecting a courier',
        purpose: 'A connector from a complete example, in an afternoon.',
      },
      {
        path: 'connector-protocol',
        word: 'Connector protocol',
        purpose: 'Every request that a connector answers.',
      },
    ],
  },
  {
    title: 'How it is built',
    pages: [
      { path: 'architecture', word: 'Architecture', purpose: 'The ideas, the map, the glossary.' },
      { path: 'guides/changing', word: 'Making changes', purpose: 'Which files a change touches.' },
      { path: 'invariants', word: 'Invariants', purpose: 'What always holds, and its tests.' },
      { path: 'proofs', word: 'Proofs', purpose: 'What was proved, and how to repeat it.' },
      { path: 'performance', word: 'Performance', purpose: 'What was measured, and how.' },
    ],
  },
]
