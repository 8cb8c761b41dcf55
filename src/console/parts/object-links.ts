/** Where a thing is shown, by the prefix of its id; what has no screen of its own is shown as it is. */
const screensOfPrefixes: Readonly<Record<string, string>> = {
  dlv: '/deliveries/',
  op: '/operations/',
  shp: '/shipments/',
  whe: '/webhooks/',
}

export function hrefOf(id: string): string {
  return (screensOfPrefixes[id.split('_', 1)[0] ?? ''] ?? '/objects/') + encodeURIComponent(id)
}
