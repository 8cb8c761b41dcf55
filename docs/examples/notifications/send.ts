// The least that sends an e-mail: SMTP to a relay that needs no password. A shop has its own way.
import { createConnection } from 'node:net'
import { createInterface } from 'node:readline'

type Mail = {
  readonly to: string
  readonly subject: string
  /** What is empty is left out. */
  readonly paragraphs: readonly unknown[]
  /** The same for every copy of this e-mail, so that mailboxes can tell that it is one. */
  readonly id: string
}

const { SMTP_HOST = '127.0.0.1', SMTP_PORT = '25', MAIL_FROM = 'shop@shop.example' } = process.env
/** A webhook must be answered within 15 s. */
const timeoutMs = 10_000
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** The relay will not take this e-mail, however often it is tried. */
class RefusedForGood extends Error {}

/** Resolves once the relay has accepted the e-mail, or refused it for good. */
export async function send(mail: Mail): Promise<void> {
  try {
    await deliver(mail)
  } catch (error) {
    if (!(error instanceof RefusedForGood)) throw error
    // For the staff: the recipient was not told.
    console.error(`${mail.id}: ${error.message}`)
  }
}

async function deliver({ to, subject, paragraphs, id }: Mail): Promise<void> {
  if (/[\s<>]/.test(to)) throw new RefusedForGood('this is not an address')
  const socket = createConnection(Number(SMTP_PORT), SMTP_HOST)
  socket.setTimeout(timeoutMs, () => socket.destroy())
  // The loop below then ends too early, which is the error.
  socket.on('error', () => socket.destroy())
  const replies = createInterface({ input: socket })[Symbol.asyncIterator]()
  /** A refusal of the recipient or the content is for good; one of the sender or the shop is not. */
  const say = async (line: string | null, code: number, isAboutMail = false) => {
    if (line !== null) socket.write(`${line}\r\n`)
    let reply = ''
    do reply = String((await replies.next()).value)
    while (reply.startsWith(`${code}-`))
    if (reply.startsWith(String(code))) return
    const Refusal = isAboutMail && reply.startsWith('5') ? RefusedForGood : Error
    throw new Refusal(`the relay answered ${reply.slice(0, 3)}`)
  }
  const text = paragraphs.filter(Boolean).join('\n\n')
  const content = [
    `From: <${MAIL_FROM}>`,
    `To: <${to}>`,
    `Subject: =?UTF-8?B?${base64(subject)}?=`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@${MAIL_FROM.split('@')[1]}>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...(base64(text).match(/.{1,76}/g) ?? []),
    '.',
  ]
  try {
    await say(null, 220)
    await say('HELO shop.example', 250)
    await say(`MAIL FROM:<${MAIL_FROM}>`, 250)
    await say(`RCPT TO:<${to}>`, 250, true)
    await say('DATA', 354)
    await say(content.join('\r\n'), 250, true)
    socket.end('QUIT\r\n')
  } finally {
    socket.destroySoon()
  }
}
