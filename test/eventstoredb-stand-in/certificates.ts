import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A certificate and its private key, both PEM. */
export type Certificate = { readonly certificate: string; readonly key: string }

type Authority = Certificate & { readonly privateKey: KeyObject; readonly name: string }

export type CertificateOptions = {
  /** DNS names (default: localhost). */
  readonly names?: readonly string[]
  readonly notBefore?: Date
  readonly notAfter?: Date
}

const dayMs = 86_400_000
const tags = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  text: 0x0c,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
}
/** Object identifiers in DER encoding. */
const oids = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  basicConstraints: '551d13',
  subjectAltName: '551d11',
}

/** One value of DER: tag, length, content. */
function der(tag: number, ...content: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(content.map((part) => Buffer.from(part)))
  const { length } = body
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}

const oid = (hex: string) => der(tags.oid, Buffer.from(hex, 'hex'))
const signature = der(tags.sequence, oid(oids.ecdsaWithSha256))
const bits = (content: Buffer) => der(tags.bits, Buffer.from([0]), content)

function nameOf(text: string): Buffer {
  const attribute = der(tags.sequence, oid(oids.commonName), der(tags.text, text))
  return der(tags.sequence, der(tags.set, attribute))
}

function timeOf(date: Date): Buffer {
  return der(tags.time, `${date.toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`)
}

function extension(id: string, isCritical: boolean, value: Buffer): Buffer {
  const critical = isCritical ? [der(tags.boolean, Buffer.from([0xff]))] : []
  return der(tags.sequence, oid(id), ...critical, der(tags.octets, value))
}

function pem(content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

type Subject = {
  readonly name: string
  readonly publicKey: KeyObject
  readonly extensions: readonly Buffer[]
  readonly options: CertificateOptions
}

function issued(subject: Subject, issuer: Pick<Authority, 'name' | 'privateKey'>): string {
  const { notBefore = new Date(Date.now() - dayMs), notAfter = new Date(Date.now() + dayMs) } =
    subject.options
  const body = der(
    tags.sequence,
    der(0xa0, der(tags.integer, Buffer.from([2]))),
    der(tags.integer, Buffer.from([1, ...crypto.getRandomValues(new Uint8Array(8))])),
    signature,
    nameOf(issuer.name),
    der(tags.sequence, timeOf(notBefore), timeOf(notAfter)),
    nameOf(subject.name),
    subject.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(tags.sequence, ...subject.extensions)),
  )
  return pem(der(tags.sequence, body, signature, bits(sign('sha256', body, issuer.privateKey))))
}

function keyPair() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { publicKey, privateKey, key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) }
}

/** A self-signed authority for tests: valid from yesterday to tomorrow. */
export function authority(name = 'test authority'): Authority {
  const { publicKey, privateKey, key } = keyPair()
  const isAuthority = der(tags.sequence, der(tags.boolean, Buffer.from([0xff])))
  const extensions = [extension(oids.basicConstraints, true, isAuthority)]
  const subject = { name, publicKey, extensions, options: {} }
  return { name, privateKey, key, certificate: issued(subject, { name, privateKey }) }
}

/** A server's certificate for its names and 127.0.0.1, signed by the authority. */
export function serverCertificate(
  issuer: Authority,
  options: CertificateOptions = {},
): Certificate {
  const { publicKey, key } = keyPair()
  const names = (options.names ?? ['localhost']).map((name) => der(0x82, name))
  const addresses = options.names === undefined ? [der(0x87, Buffer.from([127, 0, 0, 1]))] : []
  const alternatives = der(tags.sequence, ...names, ...addresses)
  const extensions = [extension(oids.subjectAltName, false, alternatives)]
  const subject = { name: 'eventstoredb-node', publicKey, extensions, options }
  return { key, certificate: issued(subject, issuer) }
}
