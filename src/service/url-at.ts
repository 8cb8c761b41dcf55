/** For `0.0.0.0` and `::`, which listen everywhere but cannot be called everywhere. */
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The http address under which this machine reaches what listens on the host and port. */
export function urlAt(host: string, port: number): string {
  const name = loopbackOf[host] ?? host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
