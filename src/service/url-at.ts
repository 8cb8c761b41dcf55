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
