/** The screen of each id prefix. Other ids open the raw view. */
const screensOfPrefixes: Readonly<Record<string, string>> = {
  bat: '/batches/',
  ccn: '/connections/',
  dlv: '/deliveries/',
  inv: '/courier-invoices/',
  key: '/keys/',
  op: '/operations/',
  req: '/requests/',
  opr: '/operators/',
  shp: '/shipments/',
  whe: '/webhooks/',
  ws: '/workspaces/',
}

export function hrefOf(id: string): string {
  return (screensOfPrefixes[id.split('_', 1)[0] ?? ''] ?? '/objects/') + encodeURIComponent(id)
}
