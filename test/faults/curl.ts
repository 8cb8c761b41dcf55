import { readFileSync, writeFileSync } from 'node:fs'

/**
 * The part of curl that the banner and the guides use (-sS -X -H -d -o -w and a URL, with `@-` for
 * a body from standard input), for machines without curl.
 */
const headers: Record<string, string> = {}
let [url, method, body, output, format]: (string | undefined)[] = []
const given = process.argv.slice(2)
for (let flag = given.shift(); flag !== undefined; flag = given.shift()) {
  if (flag === '-H') {
    const [name = '', value = ''] = given.shift()?.split(/: (.*)/s) ?? []
    headers[name] = value
  } else if (flag === '-X') method = given.shift()
  else if (flag === '-d') body = bodyOf(given.shift())
  else if (flag === '-o') output = given.shift()
  else if (flag === '-w') format = given.shift()
  else if (flag !== '-sS') url = flag
}
const sent = body === undefined ? {} : { body }
method ??= body === undefined ? 'GET' : 'POST'
const response = await fetch(url ?? '', { method, headers, ...sent })
const bytes = Buffer.from(await response.arrayBuffer())
if (output === undefined) process.stdout.write(bytes)
else writeFileSync(output, bytes)
const said = format?.replaceAll('\\n', '\n').replaceAll('%{http_code}', String(response.status))
process.stdout.write(said ?? '')

/** The body that curl sends; for `@-`, standard input without its line ends. */
function bodyOf(given: string | undefined): string | undefined {
  return given === '@-' ? readFileSync(0, 'utf8').replaceAll('\n', '') : given
}
