import t from 'tap'
import { acceptedLanguage } from '../../../src/service/http/rules/accept.ts'
import { askedLanguage } from '../../../src/service/http/rules/asked-language.ts'

t.test('the best match of an Accept-Language header is found', async (t) => {
  const expected: readonly (readonly [string | undefined, string | null])[] = [
    ['es', 'es'],
    ['ES-pe', 'es'],
    ['es-419, en;q=0.8', 'es'],
    ['es-PE,es;q=0.9,en;q=0.8', 'es'],
    ['en;q=0.5, es', 'es'],
    ['fr, es;q=0.1', 'es'],
    ['*;q=0.1, es;q=0.2', 'es'],
    ['*, en;q=0', 'es'],
    ['en-GB, es;q=0.9', 'en'],
    ['*', 'en'],
    ['fr, *;q=0.5', 'en'],
    [undefined, null],
    ['', null],
    [' , ', null],
    ['fr-CA, de', null],
    ['es;q=0', null],
    ['spanish', null],
    [`${'fr,'.repeat(32)}es`, null],
  ]
  for (const [header, language] of expected) {
    t.equal(acceptedLanguage(header), language, header ?? 'none')
  }
})

t.test('lang precedes Accept-Language, and English is for all others', async (t) => {
  const asked = (lang: 'en' | 'es' | undefined, header?: string) =>
    askedLanguage({
      query: lang === undefined ? {} : { lang },
      headers: header === undefined ? {} : { 'accept-language': header },
    })
  t.strictSame(asked('en', 'es'), {
    language: 'en',
    languageHeaders: { 'content-language': 'en' },
  })
  t.strictSame(asked('es', 'en'), {
    language: 'es',
    languageHeaders: { 'content-language': 'es' },
  })
  t.strictSame(asked(undefined, 'es'), {
    language: 'es',
    languageHeaders: { 'content-language': 'es', vary: 'accept-language' },
  })
  t.strictSame(asked(undefined, 'fr'), {
    language: 'en',
    languageHeaders: { 'content-language': 'en', vary: 'accept-language' },
  })
  t.equal(asked(undefined).language, 'en')
})
