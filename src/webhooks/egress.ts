import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Where a webhook may go. `public`: to addresses of the public internet only. `private_too`: also to
 * loopback and to private networks, for a receiver on the developer's own machine. Nothing ever
 * goes to link-local addresses, metadata services or anything else that is no receiver.
 */
export type Reach = 'public' | 'private_too'

/** What decides the reach: the endpoint's mode, and whether this deployment allows private addresses. */
export type Mode = { readonly livemode: boolean; readonly allowPrivate: boolean }

export type UrlRefusal =
  | 'not_a_url'
  | 'too_long'
  | 'not_http'
  | 'not_https'
  | 'has_credentials'
  | 'has_fragment'
  | 'bad_port'
  | 'not_a_host'
  | 'private_address'
  | 'private_name'

/** The only way to a reach. Live mode has one, whatever it is asked together with. */
export function reachOf({ livemode, allowPrivate }: Mode): Reach {
  if (livemode) return 'public'
  return allowPrivate ? 'private_too' : 'public'
}

/**
 * Never a receiver, though most of them are no `unicast` to ipaddr.js either: written down, so that
 * a new version of it opens none of them. The IANA registries of special-purpose addresses, and
 * what clouds answer on.
 */
const refusedNetworks = [
  // This host, shared and protocol space, relays, benchmarks, documentation, multicast, reserved.
  '0.0.0.0/8',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
  // The wire server of Azure: it answers on a public address.
  '168.63.129.16/32',
  // IPv4-compatible, mapped is read as IPv4 first; translated (NAT64, SIIT), 6to4 and Teredo: each
  // carries an IPv4 address, which somebody else's gateway would unpack behind our back.
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
  // Protocol assignments, documentation, segment routing, discard, site- and link-local, multicast.
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  '100::/64',
  'fec0::/10',
  'fe80::/10',
  'ff00::/8',
  // The instance metadata of AWS: it answers on a private address.
  'fd00:ec2::/32',
].map((network) => ipaddr.parseCIDR(network))

/** All that is assigned to hosts of the internet today; what is outside has no receiver. */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

const privateRanges: readonly string[] = ['loopback', 'private', 'uniqueLocal']

/** Whether a socket may be connected to this address. Anything that is no plain address may not. */
export function mayReach(address: string, reach: Reach): boolean {
  // A zone (`fe80::1%eth0`) names an interface of this machine; other forms are not an address.
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  // ipaddr.js reads `::8.8.8.8` as if it were `::ffff:8.8.8.8`; in the URL parser's hexadecimal
  // there is nothing to mistake.
  const plain = family === 6 ? hostOf(new URL(`http://[${address}]`).hostname) : address
  const parsed = ipaddr.process(plain)
  const range = parsed.range()
  if (reach === 'private_too' && range === 'loopback') return true
  const isRefused = refusedNetworks.some(
    (network) => network[0].kind() === parsed.kind() && parsed.match(network),
  )
  if (isRefused) return false
  if (reach === 'private_too' && privateRanges.includes(range)) return true
  return range === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast))
}

export function isPublicAddress(address: string): boolean {
  return mayReach(address, 'public')
}

/** A URL beyond this is no address of a receiver, and does not pass every server. */
const urlLengthMax = 2_048
/** Labels of letters, digits, hyphens and, as some have, underscores: RFC 1123, 5890. */
const hostName = /^(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*$/
/** Names that never lead to the public internet: RFC 6761, 6762, 8375, and ICANN's own. */
const privateNames = /(^|\.)(localhost|local|internal|home\.arpa)$/

/**
 * Why a receiver may not have this URL; null when it may. What can be told without asking anybody:
 * a name's addresses are looked up, and judged, whenever a socket is connected. Decimal, octal, hex
 * and full-width spellings of an address are read by the URL parser, so what is judged here is what
 * would be connected to. Any port may be used: the addresses are what protects.
 */
export function checkWebhookUrl(url: string, mode: Mode): UrlRefusal | null {
  const read = webhookUrl(url, mode)
  return typeof read === 'string' ? read : null
}

/** The same, and the URL where there is nothing against it. */
export function webhookUrl(text: string, mode: Mode): URL | UrlRefusal {
  if (text.length > urlLengthMax) return 'too_long'
  const url = URL.parse(text)
  if (url === null) return 'not_a_url'
  const { protocol, username, password, href, hostname, port } = url
  if (protocol !== 'https:' && protocol !== 'http:') return 'not_http'
  if (protocol === 'http:' && mode.livemode) return 'not_https'
  if (username !== '' || password !== '') return 'has_credentials'
  if (href.includes('#')) return 'has_fragment'
  // The parser reads a backslash as a slash, a person reads another host than it does.
  if (text.includes('\\')) return 'not_a_url'
  if (port === '0') return 'bad_port'
  const reach = reachOf(mode)
  const host = hostOf(hostname)
  if (isIP(host) !== 0) return mayReach(host, reach) ? url : 'private_address'
  if (!hostName.test(host)) return 'not_a_host'
  // A name without a dot is looked up in the search domains of this machine, if at all.
  const isPrivate = privateNames.test(host) || !host.includes('.')
  return isPrivate && reach === 'public' ? 'private_name' : url
}

/** The name or address that a URL's `hostname` stands for: without brackets and dots at the end. */
export function hostOf(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '')
}
