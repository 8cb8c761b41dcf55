import t from 'tap'
import { isSource, isTest, projectTexts } from '../support/source-files.ts'

// The style guide asks for English that an engineer would say aloud. These constructions are not.

const banned: Readonly<Record<string, RegExp>> = {
  'whoever, somebody or anybody for a program': /\b(whoever|whomever|whosoever|somebody|anybody)/i,
  'to, by, of, from or for who': /\b(to|by|of|from|for) who\b/i,
  'has not the': /\bhas not the\b/i,
  'is what is': /\bis what is\b/i,
  'for ever, anew or in vain': /\b(for ever|anew|in vain)\b/i,
  'thereof or hereby': /\b(thereof|hereby)\b/i,
}

/** Files in which the rule finds names of test data, or this list itself. */
const allowed: ReadonlySet<string> = new Set([
  'test/rules/english.test.ts',
  'test/faults/ledger/sealed.test.ts',
  'test/security/audit.test.ts',
])

function constructionsIn(text: string): readonly string[] {
  return text.split('\n').flatMap((line, index) =>
    Object.entries(banned)
      .filter(([, pattern]) => pattern.test(line))
      .map(([name]) => `${index + 1}: ${name}: ${line.trim()}`),
  )
}

t.test('code, comments and documents contain no banned English construction', async (t) => {
  const texts = [
    ...projectTexts(isSource),
    ...projectTexts(isTest),
    ...projectTexts((file) => /^(README\.md|docs\/.*\.md)$/.test(file)),
  ]
  t.ok(texts.length > 100)
  const found = texts
    .filter(([file]) => !allowed.has(file))
    .flatMap(([file, text]) => constructionsIn(text).map((line) => `${file}:${line}`))
  t.same(found, [])
})

t.test('each banned construction is recognized', async (t) => {
  const examples = [
    'the same bytes to whoever asks',
    'clients get an answer, by who they are',
    'This key has not the scope.',
    'Found is what is exactly this.',
    'The stream is read anew.',
    'the part thereof',
  ]
  t.same(
    examples.map((example) => constructionsIn(example).length),
    examples.map(() => 1),
  )
})
