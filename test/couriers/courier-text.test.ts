import t from 'tap'
import { z } from 'zod'
import { connector } from '../../src/service/couriers/connector.ts'
import {
  answers,
  type OperationName,
  tolerantAnswers,
  tolerantTrackingEvent,
} from '../../src/service/couriers/protocol.ts'
import { connectorLimits } from '../../src/service/couriers/protocol-codes.ts'
import { examples } from '../docs/protocol-examples.ts'
import { createCall, httpAnswer, rawServer } from './support.ts'

type Path = readonly (string | number)[]
type Leaf = { readonly path: Path; readonly isFree: boolean }
type Schema = {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly pattern?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly const?: string
}

/** The texts in a schema; a text is free if the schema does not restrict its form. */
function leavesOf(schema: z.ZodType): readonly Leaf[] {
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
  const walk = (part: Schema, path: Path): readonly Leaf[] => {
    if (part.$ref !== undefined) {
      return walk(whole.$defs?.[part.$ref.replace('#/$defs/', '')] ?? {}, path)
    }
    const { properties = {}, items, anyOf = [], type } = part
    const rules = [part.pattern, part.format, part.enum, part.const]
    const isFree = rules.every((rule) => rule === undefined)
    return [
      ...(type === 'string' ? [{ path, isFree }] : []),
      ...Object.entries(properties).flatMap(([name, each]) => walk(each, [...path, name])),
      ...(items === undefined ? [] : walk(items, [...path, 0])),
      ...anyOf.flatMap((each) => walk(each, path)),
    ]
  }
  return walk(whole, [])
}

/** The value with another text at this path. */
function withText(value: unknown, [name, ...rest]: Path, text: string): unknown {
  if (name === undefined) return text
  const members = Array.isArray(value) ? [...value] : { ...(value as object) }
  const member = Reflect.get(members, name)
  Reflect.set(members, name, withText(member ?? {}, rest, text))
  return members
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}

const isClean = (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text)

const hostile: Readonly<Record<string, string>> = {
  nul: 'a\u0000b',
  'high surrogate': 'a\ud83d',
  'low surrogate': '\ude00b',
  'line breaks': 'a\r\nb\u0085c\td',
  'delete and C1': 'a\u007f\u0090b',
  'halves around NUL': 'a\ud83d\u0000\ude00b',
}
const exampleOf = (name: string): unknown =>
  name === 'refusal'
    ? {
        success: false,
        code: 'quote_price_changed',
        message: 'No.',
        price: { amount: 900, currency: 'PEN' },
      }
    : examples[name as OperationName].answer

t.test(
  "no schema of a courier's answers lets control characters or lone surrogates in",
  async (t) => {
    const { track } = examples
    const [event] = (track.answer as { events: readonly unknown[] }).events
    const all = [
      ...Object.entries(answers).map(([name, schema]) => [name, schema, exampleOf(name)] as const),
      ...Object.entries(tolerantAnswers)
        .filter(([name]) => name !== 'track')
        .map(([name, schema]) => [`tolerant ${name}`, schema, exampleOf(name)] as const),
      ['tolerant tracking event', tolerantTrackingEvent, event] as const,
    ]
    let free = 0
    for (const [name, schema, example] of all) {
      t.ok(schema.safeParse(example).success, name)
      for (const { path, isFree } of leavesOf(schema)) {
        for (const [what, text] of Object.entries(hostile)) {
          const parsed = schema.safeParse(withText(example, path, text))
          const bad = parsed.success ? textsIn(parsed.data).filter((each) => !isClean(each)) : []
          t.same(bad, [], `${name} ${path.join('.')}: ${what}`)
          if (isFree)
            t.ok(parsed.success, `${name} ${path.join('.')}: ${what} is no reason to refuse`)
        }
        if (isFree) free += 1
      }
    }
    t.ok(free > 20, `${free} places for free text`)
  },
)

const guideCall = { ...createCall(), guideNumber: 'G1' }

t.test('no result of the adapter contains control characters or lone surrogates', async (t) => {
  let next: Buffer = Buffer.alloc(0)
  const teardown = (end: () => Promise<void>) => t.teardown(end)
  const server = await rawServer(teardown, (socket) => socket.write(next))
  const courier = connector({ baseUrl: server.url, callMs: 3_000 })
  teardown(() => courier.close())
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    agencies: () => courier.agencies(),
    packageProducts: () => courier.packageProducts(),
    quote: () =>
      courier.quote({ ...createCall(), workspaceReference: 'ws', service: null, sums: {} }),
    createGuide: () => courier.createGuide(createCall()),
    findGuides: () => courier.findGuides({ ...createCall(), includeCancelled: true }),
    track: () => courier.track(guideCall),
    invoice: () => courier.invoice({ ...createCall(), month: '2030-01' }),
    refusal: () => courier.createGuide(createCall()),
  }
  for (const [name, call] of Object.entries(calls)) {
    for (const { path } of leavesOf(answers[name as keyof typeof answers])) {
      for (const text of Object.values(hostile)) {
        next = httpAnswer(200, JSON.stringify(withText(exampleOf(name), path, text)))
        t.ok(textsIn(await call()).every(isClean), `${name} ${path.join('.')}`)
      }
    }
  }
})

t.test('a long text of a courier is truncated without splitting a character', async (t) => {
  let next: Buffer = Buffer.alloc(0)
  const teardown = (end: () => Promise<void>) => t.teardown(end)
  const server = await rawServer(teardown, (socket) => socket.write(next))
  const courier = connector({ baseUrl: server.url, callMs: 3_000 })
  teardown(() => courier.close())
  const { textCharactersMax } = connectorLimits
  const kept = `${'a'.repeat(textCharactersMax - 1)}😀`
  const texts = [
    ['refusal', ['message'], () => courier.createGuide(createCall())],
    ['track', ['events', 0, 'text'], () => courier.track(guideCall)],
    [
      'quote',
      ['errors', 0, 'text'],
      () => courier.quote({ ...createCall(), workspaceReference: 'ws', service: null, sums: {} }),
    ],
  ] as const
  for (const [name, path, call] of texts) {
    for (const text of [`${kept}b`, `${kept}😀`, `\u0000${kept}`, kept]) {
      next = httpAnswer(200, JSON.stringify(withText(exampleOf(name), path, text)))
      t.ok(textsIn(await call()).includes(kept), name)
    }
  }
})
