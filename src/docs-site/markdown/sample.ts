import type { Sample } from '../site-page.ts'

/**
 * A runnable block of code begins with "```sh run". The rest of that line names values to keep from the response, such as `SHIPMENT_ID=id`; `watch` repeats the call until the operation ends, and `refused` means that the response may be an error. In the plain document it is an ordinary block with one command.
 */
export function sampleOf(info: string, command: string): Sample | null {
  const [language, ...words] = info.split(' ')
  if (language !== 'sh' || !words.includes('run')) return null
  const keeps = Object.fromEntries(
    words
      .filter((word) => word.includes('='))
      .map((word) => word.split('=') as [name: string, path: string]),
  )
  return {
    ...callOf(command),
    keeps,
    isWatched: words.includes('watch'),
    mayBeRefused: words.includes('refused'),
  }
}

/** The prefix of a call's address. */
const service = '$SHIPPING_LEDGER_URL'

type Call = Pick<Sample, 'method' | 'path' | 'headers' | 'body' | 'file'>

/** Parses a curl command. Throws for options that the page does not support. */
function callOf(command: string): Call {
  const [line = '', ...rest] = command.replaceAll('\\\n', ' ').split('\n')
  const words = wordsOf(line)
  if (words.shift() !== 'curl') throw new Error(`A sample that runs begins with curl: ${line}`)
  let method: string | null = null
  let path: string | null = null
  let body: string | null = null
  let file: string | null = null
  const headers: Record<string, string> = {}
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-X') method = words.shift() ?? null
    else if (word === '-H') {
      const [name = '', value = ''] = (words.shift() ?? '').split(/: (.*)/s)
      headers[name] = value
    } else if (word === '-d') body = bodyOf(words.shift() ?? '', words, rest)
    else if (word === '-o') file = words.shift() ?? null
    else if (word.startsWith(`${service}/`)) path = word.slice(service.length)
    else if (!/^-[sSfi]+$/.test(word)) throw new Error(`A sample does not know ${word}.`)
  }
  if (path === null) throw new Error(`A sample calls an address below ${service}: ${line}`)
  return { method: method ?? (body === null ? 'GET' : 'POST'), path, headers, body, file }
}

/** The value of `-d`: the word itself, or the lines of a here document. */
function bodyOf(word: string, words: string[], lines: readonly string[]): string {
  if (word !== '@-') return word
  const [, end] = /^<<(\w+)$/.exec(words.shift() ?? '') ?? []
  const last = lines.indexOf(end ?? '')
  if (last === -1) throw new Error('The here document of a sample has no end.')
  return lines.slice(0, last).join('\n')
}

/** The words of a command, without their quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
}
