import { createSocket } from 'node:dgram'
import { connect, isIP } from 'node:net'
import t from 'tap'
import {
  allowedTargetsOf,
  checkWebhookUrl,
  isAllowedTarget,
  isPublicAddress,
  type UrlRefusal,
} from '../../src/service/webhooks/egress/egress.ts'
import { publicLookup } from '../../src/service/webhooks/egress/lookups.ts'
import { webhookSender } from '../../src/service/webhooks/send.ts'
import { receiver } from './receiver.ts'

const live = { livemode: true, allowPrivate: false }
const test = { livemode: false, allowPrivate: false }
const own = { livemode: false, allowPrivate: true }

const forbiddenAddresses = [
  // IPv4: this host, loopback, private, shared, link-local with metadata, protocol assignments.
  '0.0.0.0',
  '0.1.2.3',
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  // IPv6: unspecified, loopback, mapped, compatible, translated, tunnelled.
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '::7f00:1',
  '::127.0.0.1',
  '::a00:1',
  '::8.8.8.8',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '2001:0:7f00:1::',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:30::1',
  // Documentation, discard, unique local, link-local, site-local, multicast, routing, unassigned.
  '2001:db8::1',
  '3fff::1',
  '100::1',
  'fc00::1',
  'fd12:3456::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  '2606:4700::1%eth0',
  'fec0::1',
  'ff02::1',
  '5f00::1',
  '4000::1',
  'e000::1',
]
const publicAddresses = [
  '8.8.8.8',
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '126.255.255.255',
  '128.0.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.1',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  '2001:4860:4860::8888',
]
const noAddresses = ['', 'localhost', '0x7f.1', '017700000001', '2130706433', '127.1', '1.1.1.1 ']

t.test('only addresses of the public internet count as public', async (t) => {
  t.ok(forbiddenAddresses.length + publicAddresses.length + noAddresses.length >= 45)
  t.same(forbiddenAddresses.filter(isPublicAddress), [])
  t.same(
    publicAddresses.filter((address) => !isPublicAddress(address)),
    [],
  )
  t.same(noAddresses.filter(isPublicAddress), [], 'hosts that are not plain addresses')
  t.same(
    forbiddenAddresses.filter((address) => isIP(address) === 0),
    [],
    'the table has addresses only',
  )
})

t.test('where private addresses are allowed, only loopback and private networks are', async (t) => {
  const reached = forbiddenAddresses.filter((address) => isAllowedTarget(address, 'private_too'))
  t.same(reached, [
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    'fc00::1',
    'fd12:3456::1',
  ])
  t.same(
    publicAddresses.filter((address) => !isAllowedTarget(address, 'private_too')),
    [],
  )
  t.equal(allowedTargetsOf({ livemode: true, allowPrivate: true }), 'public', 'never in live mode')
})

const refusedUrls: Readonly<Record<string, UrlRefusal>> = {
  'https://127.0.0.1/': 'private_address',
  'https://127.1/': 'private_address',
  'https://127.0.0.1./': 'private_address',
  'https://2130706433/': 'private_address',
  'https://017700000001/': 'private_address',
  'https://0177.0.0.1/': 'private_address',
  'https://0x7f.1/': 'private_address',
  'https://0x7f000001/': 'private_address',
  'https://①②⑦.⓪.⓪.①/': 'private_address',
  'https://127。0。0。1/': 'private_address',
  'https://%31%32%37.0.0.1/': 'private_address',
  'https://0/': 'private_address',
  'https://169.254.169.254/latest/meta-data': 'private_address',
  'https://0xa9fea9fe/': 'private_address',
  'https://10.0.0.1:8443/': 'private_address',
  'https://[::1]/': 'private_address',
  'https://[::]/': 'private_address',
  'https://[::ffff:127.0.0.1]/': 'private_address',
  'https://[::127.0.0.1]/': 'private_address',
  'https://[0:0:0:0:0:0:a00:1]/': 'private_address',
  'https://[64:ff9b::127.0.0.1]/': 'private_address',
  'https://[2002:7f00:1::]/': 'private_address',
  'https://[fe80::1]/': 'private_address',
  'https://[fe80::1%25eth0]/': 'not_a_url',
  'https://localhost/': 'private_name',
  'https://LOCALHOST./': 'private_name',
  'https://localhost../': 'private_name',
  'https://a.localhost/': 'private_name',
  'https://home.arpa/': 'private_name',
  'https://printer.local/': 'private_name',
  'https://metadata.google.internal/': 'private_name',
  'https://nas.home.arpa/': 'private_name',
  'https://intranet/': 'private_name',
  'https://ⓛocalhost/': 'private_name',
  'https://user:password@example.com/': 'has_credentials',
  'https://example.com@127.0.0.1/': 'has_credentials',
  'https://example.com/#part': 'has_fragment',
  'https://example.com/#': 'has_fragment',
  'ftp://example.com/': 'not_http',
  'file:///etc/passwd': 'not_http',
  'javascript:alert(1)': 'not_http',
  'http://example.com/': 'not_https',
  '//example.com/': 'not_a_url',
  'https://': 'not_a_url',
  'https://256.1.1.1/': 'not_a_url',
  'https://example.com:99999/': 'not_a_url',
  'https://example.com\\@127.0.0.1/': 'not_a_url',
  'https://example.com:0/': 'bad_port',
  'https://*.example.com/': 'not_a_host',
  'https://a..example.com/': 'not_a_host',
  'https://-a.example.com/': 'not_a_host',
  [`https://example.com/${'a'.repeat(2_029)}`]: 'too_long',
}

t.test('a forbidden webhook URL is refused with its reason', async (t) => {
  for (const [url, reason] of Object.entries(refusedUrls)) {
    t.equal(checkWebhookUrl(url, live), reason, url.slice(0, 60))
    const again = checkWebhookUrl(url, { livemode: true, allowPrivate: true })
    t.equal(again, reason, 'and what this deployment allows changes nothing in live mode')
  }
})

t.test('a valid webhook URL is accepted, in test mode also without TLS', async (t) => {
  for (const path of ['', '/a?b=c', ':8443/', ':25/', `/${'a'.repeat(2_028)}`]) {
    t.equal(checkWebhookUrl(`https://example.com${path}`, live), null)
  }
  t.equal(checkWebhookUrl('https://[2606:4700::1111]/', live), null)
  t.equal(checkWebhookUrl('https://notlocalhost.com/', live), null)
  t.equal(checkWebhookUrl('https://localhost.example.com/', live), null)
  t.equal(checkWebhookUrl('https://xn--bcher-kva.a_b.example.com./', live), null)
  t.equal(checkWebhookUrl('http://example.com/', test), null)
  t.equal(checkWebhookUrl('http://127.0.0.1:3000/', test), 'private_address')
  for (const host of ['127.0.0.1:3000', 'localhost', 'receiver', '[::1]', '192.168.1.2']) {
    t.equal(checkWebhookUrl(`http://${host}/`, own), null, host)
  }
  t.equal(checkWebhookUrl('http://169.254.169.254/', own), 'private_address')
})

const request = { headers: {}, body: Buffer.from('{}') }

t.test(
  'a name with one forbidden address is refused, and each send resolves it once',
  async (t) => {
    const { url, heads } = await receiver(t, (socket) => socket.end())
    const port = new URL(url).port
    const asked: string[] = []
    const names: Readonly<Record<string, readonly string[]>> = {
      'among.example': ['93.184.216.34', '127.0.0.1', '2606:4700::1111'],
      'mapped.example': ['::ffff:127.0.0.1'],
      'metadata.example': ['169.254.169.254'],
      'none.example': [],
    }
    const sender = webhookSender({
      lookup: async (hostname) => {
        asked.push(hostname)
        return (names[hostname] ?? []).map((address) => ({ address, family: isIP(address) }))
      },
    })
    t.teardown(() => sender.close())
    for (const name of ['among.example', 'mapped.example', 'metadata.example']) {
      const answer = await sender.send({ ...request, ...test, url: `http://${name}:${port}/` })
      t.match(answer, { statusCode: null, error: 'blocked' }, name)
    }
    const none = await sender.send({ ...request, ...test, url: `http://none.example:${port}/` })
    t.equal(none.error, 'dns')
    const both = { livemode: true, allowPrivate: true }
    const inLive = await sender.send({ ...request, ...both, url: `https://among.example:${port}/` })
    t.equal(inLive.error, 'blocked', 'live mode reaches nothing private, whatever is allowed')
    t.same(asked, [...Object.keys(names), 'among.example'], 'each send asked once')
    t.same(heads, [])
  },
)

t.test(
  'a socket that connects to a forbidden address is closed before any byte is sent',
  async (t) => {
    const { url, received, connections } = await receiver(t, () => {})
    const port = Number(new URL(url).port)
    const sender = webhookSender({
      lookup: async () => [{ address: '93.184.216.34', family: 4 }],
      // Simulates a network that routes a public address to this machine.
      openSocket: () => connect({ host: '127.0.0.1', port }),
    })
    t.teardown(() => sender.close())
    for (const target of ['https://rebound.example/', 'https://93.184.216.34/']) {
      const answer = await sender.send({ ...request, ...live, url: target })
      t.match(answer, { statusCode: null, error: 'blocked' }, target)
    }
    await connections.closed(2)
    t.equal(received(), 0, 'not even the start of TLS')
  },
)

t.test('a send checks the URL again, whatever was allowed at registration', async (t) => {
  const { url, heads } = await receiver(t, (socket) => socket.end())
  const sender = webhookSender()
  t.teardown(() => sender.close())
  for (const mode of [live, test, { livemode: true, allowPrivate: true }]) {
    t.equal((await sender.send({ ...request, ...mode, url })).error, 'blocked')
  }
  t.equal((await sender.send({ ...request, ...own, url: 'no url' })).error, 'blocked')
  t.same(heads, [])
})

/** A local name server that answers with one address, with "no such name", or not at all. */
async function nameServer(
  test: { teardown(end: () => void): void },
  addressOf: (name: string, isSix: boolean) => Buffer | 'unknown' | 'silent',
): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const end = question.indexOf(0, 12) + 5
    const [name = ''] = /[a-z]{2,}/.exec(question.toString('latin1', 12)) ?? []
    const found = addressOf(name, question.readUInt16BE(end - 4) === 28)
    if (found === 'silent') return
    const isUnknown = found === 'unknown'
    const head = Buffer.from(question.subarray(0, end))
    head.writeUInt16BE(isUnknown ? 0x8183 : 0x8180, 2)
    head.set([0, 1, 0, isUnknown || found.length === 0 ? 0 : 1, 0, 0, 0, 0], 4)
    if (isUnknown || found.length === 0) return socket.send(head, port, address)
    const type = Buffer.from([0xc0, 12, 0, found.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 9, 0])
    socket.send(Buffer.concat([head, type, Buffer.from([found.length]), found]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  test.teardown(() => socket.close())
  return `127.0.0.1:${socket.address().port}`
}

t.test('names are resolved for IPv4 and IPv6, and a lookup can be cancelled', async (t) => {
  const six = Buffer.from('26064700470000000000000000001111', 'hex')
  const server = await nameServer(t, (name, isSix) => {
    if (name === 'silent') return 'silent'
    if (name === 'unknown') return 'unknown'
    if (name === 'four') return isSix ? Buffer.alloc(0) : Buffer.from([127, 0, 0, 1])
    return isSix ? six : Buffer.from([9, 9, 9, 9])
  })
  const { lookup, cancel } = publicLookup([server])
  t.same(await lookup('both.example'), [
    { address: '9.9.9.9', family: 4 },
    { address: '2606:4700:4700::1111', family: 6 },
  ])
  t.same(await lookup('four.example'), [{ address: '127.0.0.1', family: 4 }])
  const codeOf = (asked: Promise<unknown>) => asked.catch(({ code }) => code)
  t.equal(await codeOf(lookup('unknown.example')), 'ENOTFOUND')
  const waiting = codeOf(lookup('silent.example'))
  cancel()
  t.equal(await waiting, 'ECANCELLED')
})
