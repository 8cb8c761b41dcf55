import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

type Test = { teardown(close: () => Promise<unknown>): unknown }

/** An e-mail as the relay accepted it, with its content decoded. */
export type AcceptedMail = {
  readonly to: string
  readonly id: string
  readonly subject: string
  readonly text: string
}

/**
 * A relay that speaks enough of SMTP. `refuses` is called with each e-mail before it is accepted;
 * if it returns true, the connection is closed instead. Recipients in `unknown` are refused for good.
 */
export async function smtpRelay(
  t: Test,
  refuses: (mail: AcceptedMail) => boolean = () => false,
  unknown: readonly string[] = [],
) {
  const accepted: AcceptedMail[] = []
  const refused: string[] = []
  const isUnknown = (to: string) => {
    const known = !unknown.includes(to)
    if (!known) refused.push(to)
    return !known
  }
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    serve(socket, isUnknown, (mail) => {
      if (refuses(mail)) return false
      accepted.push(mail)
      return true
      // A client that is killed resets its connection.
    }).catch(() => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => {
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, accepted, refused }
}

async function serve(
  socket: Socket,
  isUnknown: (to: string) => boolean,
  accepts: (mail: AcceptedMail) => boolean,
): Promise<void> {
  let to = ''
  let content: string[] | null = null
  socket.write('220 relay\r\n')
  for await (const line of createInterface({ input: socket })) {
    if (content !== null) {
      if (line !== '.') {
        content.push(line.replace(/^\./, ''))
        continue
      }
      if (!accepts(mailOf(to, content))) return void socket.destroy()
      content = null
    }
    const [, recipient] = /^RCPT TO:<(.*?)>/i.exec(line) ?? []
    to = recipient ?? to
    if (recipient !== undefined && isUnknown(recipient)) {
      socket.write('550 no such mailbox\r\n')
      continue
    }
    if (/^DATA/i.test(line)) content = []
    if (/^EHLO/i.test(line)) socket.write('250-relay\r\n')
    if (/^QUIT/i.test(line)) return void socket.end('221 bye\r\n')
    socket.write(content === null ? '250 ok\r\n' : '354 go on\r\n')
  }
}

function mailOf(to: string, lines: readonly string[]): AcceptedMail {
  const end = lines.indexOf('')
  const head = lines
    .slice(0, end)
    .join('\r\n')
    .replaceAll(/\r\n[ \t]+/g, ' ')
  const header = (name: string) =>
    new RegExp(`^${name}: *(.*)$`, 'im').exec(head.replaceAll('\r', ''))?.[1] ?? ''
  const body = lines.slice(end + 1).join('\n')
  const encoding = header('Content-Transfer-Encoding').toLowerCase()
  const text =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString()
      : encoding === 'quoted-printable'
        ? fromQuoted(body.replaceAll('=\n', ''))
        : body
  return { to, id: header('Message-ID'), subject: wordsOf(header('Subject')), text: text.trim() }
}

function wordsOf(header: string): string {
  return header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : fromQuoted(text.replaceAll('_', ' ')),
    )
}

function fromQuoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}
