/** `0.0.0.0` and `::` mean every interface to a listener but cannot always be called. */
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The URL by which this machine reaches a server that listens on the host and port. */
export function urlAt(host: string, port: number): string {
  const name = loopbackOf[host] ?? host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** The same for a server that listens at this address, whose port may have been any free one. */
export function boundUrl(
  { host, port }: { readonly host: string; readonly port: number },
  address: unknown,
): string {
  const isBound = typeof address === 'object' && address !== null && 'port' in address
  return urlAt(host, isBound ? Number(address.port) : port)
}

const loopback = /^(127\.[0-9.]+|::1|localhost)$/

export function isLoopback(host: string): boolean {
  return loopback.test(host)
}

/** Shown once at the start; null if nothing is wrong. A process with only the simulator makes no links. */
export function publicUrlWarning({
  host,
  publicUrl,
  roles,
}: {
  readonly host: string
  readonly publicUrl: string | undefined
  readonly roles: ReadonlySet<string>
}): string | null {
  const makesLinks = [...roles].some((role) => role !== 'simulator')
  if (publicUrl !== undefined || isLoopback(host) || !makesLinks) return null
  return "PUBLIC_URL is not set: links to recipients' pages begin with an address that only this machine reaches"
}
