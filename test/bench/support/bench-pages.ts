import { text } from 'node:stream/consumers'
import { steadyLoad } from './steady-load.ts'

/** A steady load on recipients' pages, each request from another network. */
export type PageLoad = {
  readonly url: string
  readonly paths: readonly string[]
  readonly seconds: number
  readonly perSecond: number
}

/* Runs in a process of its own: reads a PageLoad from its input and prints a LoadResult. */
const { paths, ...load } = JSON.parse(await text(process.stdin)) as PageLoad
const answer = await steadyLoad({
  ...load,
  connections: 32,
  request: (number) => ({
    method: 'GET',
    path: paths[number % paths.length] ?? '',
    headers: {
      'accept-language': number % 2 === 0 ? 'es-PE' : 'en',
      'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
    },
  }),
})
process.stdout.write(JSON.stringify(answer))
