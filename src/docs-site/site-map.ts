/** A page in the sidebar. */
type Listed = {
  /** The path below `/docs`. The document is in the folder `docs`, as `<path>.md`. */
  readonly path: string
  /** The title in the sidebar. */
  readonly word: string
  /** One sentence about the page. */
  readonly purpose: string
}

type Group = { readonly title: string; readonly pages: readonly Listed[] }

/** The API reference is rendered from the OpenAPI document in the browser. */
export const referencePath = 'reference'

/** The sidebar's groups for customers. All other documents in `docs` are pages too, found through links and the search. */
export const siteMap: readonly Group[] = [
  {
    title: 'Start',
    pages: [
      {
        path: 'guides/quick-start',
        word: 'Quick start',
        purpose: 'From zero to your first guide, and what happens when a response is lost.',
      },
      {
        path: 'guides/authentication',
        word: 'Authentication',
        purpose: 'Keys, modes, scopes and operators.',
      },
      {
        path: 'guides/shop',
        word: 'A whole shop',
        purpose: 'A shop that ships each order once, however often it is killed.',
      },
      {
        path: 'guides/typescript-client',
        word: 'TypeScript client',
        purpose: 'The typed client, its retries, and webhook verification.',
      },
      {
        path: 'guides/command',
        word: 'The command',
        purpose: 'Webhooks on your machine, scenarios, batches and labels from the command line.',
      },
      {
        path: 'guides/agents',
        word: 'Agents',
        purpose: 'The API as tools for an agent, which never ships an order twice.',
      },
      {
        path: 'guides/python-client',
        word: 'Python client',
        purpose: 'The same for Python, without dependencies.',
      },
      {
        path: 'guides/generated-clients',
        word: 'Generated clients',
        purpose: 'Generating a client from the OpenAPI document.',
      },
    ],
  },
  {
    title: 'Guides',
    pages: [
      {
        path: 'guides/idempotency',
        word: 'Idempotency',
        purpose: 'One key, one guide: when to retry, and what you get.',
      },
      {
        path: 'guides/what-to-do-with-a-409',
        word: 'What to do with a 409',
        purpose: 'What each conflict means for the shipment, and what to do next.',
      },
      {
        path: 'guides/rate-limits-and-retries',
        word: 'Rate limits and retries',
        purpose: 'How many requests a shop may make, and when and how to repeat one.',
      },
      {
        path: 'guides/rates',
        word: 'Rates',
        purpose: 'Prices of several couriers side by side, and shipping at one of them.',
      },
      {
        path: 'guides/tracking',
        word: 'Tracking',
        purpose: 'Where the parcel is, and how often it is checked.',
      },
      {
        path: 'guides/recipient-page',
        word: "The recipient's page",
        purpose: 'A link for the person who waits for the parcel, with your shop on it.',
      },
      {
        path: 'guides/webhooks',
        word: 'Webhooks',
        purpose: 'Events sent to your server: types, retries, alerts and missed events.',
      },
      {
        path: 'guides/verify-a-webhook',
        word: 'Verify a webhook',
        purpose: 'Receivers in TypeScript, Node, Python and PHP that check the signature.',
      },
      {
        path: 'guides/notifications',
        word: 'E-mails to recipients',
        purpose: 'The shop tells the recipient each status of the parcel, in twenty lines.',
      },
      {
        path: 'guides/bulk',
        word: 'Shipping in bulk',
        purpose: 'Batches from a file, their labels and manifests.',
      },
      {
        path: 'guides/labels',
        word: 'Labels',
        purpose: 'Which format your printer needs, and how to send it there.',
      },
      {
        path: 'guides/courier-invoices',
        word: "Courier's invoices",
        purpose: 'Comparing what a courier bills with the ledger, line by line.',
      },
      {
        path: 'guides/personal-data',
        word: 'Personal data',
        purpose: 'What is stored about recipients, for how long, and how to erase it.',
      },
      {
        path: 'guides/versioning',
        word: 'Versions',
        purpose: 'What may change within a version, and how changes are announced.',
      },
    ],
  },
  {
    title: 'Reference',
    pages: [
      {
        path: referencePath,
        word: 'API reference',
        purpose: 'Every route, parameter, field and response.',
      },
      { path: 'errors', word: 'Errors', purpose: 'Every reason, and what to do about it.' },
      {
        path: 'webhook-events',
        word: 'Webhook events',
        purpose: 'Every type, when it is sent, and an example body.',
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
      { path: 'api-limits', word: 'API limits', purpose: 'The limits that API clients can reach.' },
      { path: 'changelog', word: 'Changelog', purpose: 'What changed in the API, and when.' },
    ],
  },
  {
    title: 'Evidence',
    pages: [
      {
        path: 'guides/audit',
        word: 'Auditing the ledger',
        purpose: 'Verifying a history without trusting the service.',
      },
      {
        path: 'guides/ledger-format',
        word: 'The format of evidence',
        purpose: 'Everything a verifier needs, in any language.',
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
      {
        path: 'guides/signing-in',
        word: 'Signing in',
        purpose: 'The console with accounts of a company.',
      },
      { path: 'guides/eventstoredb', word: 'EventStoreDB', purpose: 'The ledger in EventStoreDB.' },
      { path: 'scaling', word: 'Scaling', purpose: 'How load, storage and time grow.' },
      {
        path: 'guides/connect-a-courier',
        word: 'Connecting a courier',
        purpose: 'Write a connector in an afternoon, from a complete example.',
      },
      {
        path: 'connector-protocol',
        word: 'Connector protocol',
        purpose: 'Every request that a connector must answer.',
      },
    ],
  },
]

/** Where records of decisions are. */
export const decisionsFolder = 'decisions'

/** How the service itself is built. Customers need none of it, so the search leaves it out. */
export const developerPages: Group = {
  title: 'For developers of the service',
  pages: [
    {
      path: 'architecture',
      word: 'Architecture',
      purpose: 'The ideas, the map and the glossary.',
    },
    { path: 'guides/changing', word: 'Making changes', purpose: 'Which files a change touches.' },
    {
      path: 'invariants',
      word: 'Invariants',
      purpose: 'What always holds, and the tests for it.',
    },
    { path: 'proofs', word: 'Proofs', purpose: 'What was proved, and how to reproduce it.' },
    { path: 'performance', word: 'Performance', purpose: 'What was measured, and how.' },
  ],
}

/** Whether the search finds a page. */
export function isSearched(path: string): boolean {
  return (
    !path.startsWith(`${decisionsFolder}/`) &&
    !developerPages.pages.some((page) => page.path === path)
  )
}
