import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Where a webhook may go. `public`: to addresses of the public internet only. `private_too`: also
 * to loopback and to private networks, for a receiver on the developer's own machine. Nothing ever
 * goes to link-local addresses, metadata services or anything else that is no receiver.
 */
export type AllowedTargets = 'public' | 'private_too'

/**
 * What determines the reach: the endpoint's mode, and whether this deployment allows private
 * addresses.
 */
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

/** The only function that determines a reach. Live mode always gets `public`. */
export function allowedTargetsOf({ livemode, allowPrivate }: Mode): AllowedTargets {
  if (livemode) return 'public'
  return allowPrivate ? 'private_too' : 'public'
}

/**
 * Networks that have no receivers: the IANA registries of special-purpose addresses, and the addresses
 * on which clouds answer. ipaddr.js does not call most of them `unicast` either; they are listed so
 * that a new version of it allows none of them.
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
  // IPv4-compatible (mapped is read as IPv4 first), translated (NAT64, SIIT), 6to4 and Teredo: each
  // carries an IPv4 address, which a gateway outside our control would unpack.
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

/** Everything assigned to internet hosts today: all receivers are inside it. */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

const privateRanges: readonly string[] = ['loopback', 'private', 'uniqueLocal']

/** Whether a socket may connect to this address. Anything but a plain address may not. */
export function isAllowedTarget(address: string, allowedTargets: AllowedTargets): boolean {
  // A zone (`fe80::1%eth0`) names an interface of this machine; other forms are not an address.
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  // ipaddr.js reads `::8.8.8.8` as `::ffff:8.8.8.8`; the URL parser's hexadecimal form is
  // unambiguous.
  const plain = family === 6 ? hostOf(new URL(`http://[${address}]`).hostname) : address
  const parsed = ipaddr.process(plain)
  const range = parsed.range()
  if (allowedTargets === 'private_too' && range === 'loopback') return true
  const isRefused = refusedNetworks.some(
    (network) => network[0].kind() === parsed.kind() && parsed.match(network),
  )
  if (isRefused) return false
  if (allowedTargets === 'private_too' && privateRanges.includes(range)) return true
  return range === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast))
}

export function isPublicAddress(address: string): boolean {
  return isAllowedTarget(address, 'public')
}

/** No receiver's address is longer, and not every server accepts more. */
const urlLengthMax = 2_048
/** Labels of letters, digits, hyphens and, as some have, underscores: RFC 1123, 5890. */
const hostName = /^(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*$/
/** Names that never lead to the public internet: RFC 6761, 6762, 8375, and ICANN's own. */
const privateNames = /(^|\.)(localhost|local|internal|home\.arpa)$/

/**
 * Why a receiver may not have this URL; null when it may. Only checks that need no network: a
 * name's addresses are looked up, and checked, whenever a socket is connected. The URL parser
 * normalizes decimal, octal, hex and full-width spellings of an address, so the checked address is
 * the one that would be connected to. Any port may be used: the address check is the protection.
 */
export function checkWebhookUrl(url: string, mode: Mode): UrlRefusal | null {
  const read = webhookUrl(url, mode)
  return typeof read === 'string' ? read : null
}

/** Returns the parsed URL if it is allowed, else the refusal. */
export function webhookUrl(text: string, mode: Mode): URL | UrlRefusal {
  if (text.length > urlLengthMax) return 'too_long'
  const url = URL.parse(text)
  if (url === null) return 'not_a_url'
  const { protocol, username, password, href, hostname, port } = url
  if (protocol !== 'https:' && protocol !== 'http:') return 'not_http'
  if (protocol === 'http:' && mode.livemode) return 'not_https'
  if (username !== '' || password !== '') return 'has_credentials'
  if (href.includes('#')) return 'has_fragment'
  // The parser reads a backslash as a slash, so a person would see a different host.
  if (text.includes('\\')) return 'not_a_url'
  if (port === '0') return 'bad_port'
  const allowedTargets = allowedTargetsOf(mode)
  const host = hostOf(hostname)
  if (isIP(host) !== 0) return isAllowedTarget(host, allowedTargets) ? url : 'private_address'
  if (!hostName.test(host)) return 'not_a_host'
  // A name without a dot is looked up in this machine's search domains, if at all.
  const isPrivate = privateNames.test(host) || !host.includes('.')
  return isPrivate && allowedTargets === 'public' ? 'private_name' : url
}

/** The name or address in a URL's `hostname`: without brackets and trailing dots. */
export function hostOf(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '')
}
