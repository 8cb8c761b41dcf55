import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { type Language, languages } from '../../domain/language.ts'
import { valuesText } from '../openapi/schemas.ts'
import { acceptedLanguage } from './accept.ts'

/** The query parameter of a route that answers with a text for people. */
export const languageParameter = {
  lang: z
    .enum(languages)
    .optional()
    .meta({
      description: valuesText(
        'The language of the texts that this service writes. The default is the best match of `Accept-Language`, and otherwise `en`.',
        { en: 'English', es: 'Spanish, as in Peru' },
      ),
    }),
}

type Request = {
  readonly query: { readonly lang?: Language | undefined }
  readonly headers: IncomingHttpHeaders
}

type AskedLanguage = {
  readonly language: Language
  /** The headers of the answer in this language. */
  readonly languageHeaders: Readonly<Record<string, string>>
}

/**
 * The language of an answer: `lang`, else the best match of `Accept-Language`, else English. The
 * route declares `languageParameter`, and `accept-language` among its headers.
 */
export function askedLanguage({ query, headers }: Request): AskedLanguage {
  const language = query.lang ?? acceptedLanguage(headers['accept-language']) ?? 'en'
  // With `lang` the answer is the same for every Accept-Language.
  const vary = query.lang === undefined ? { vary: 'accept-language' } : {}
  return { language, languageHeaders: { 'content-language': language, ...vary } }
}
