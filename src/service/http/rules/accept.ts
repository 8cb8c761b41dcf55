import Negotiator from 'negotiator'
import { languages as allLanguages, type Language } from '../../domain/language.ts'

/** Ranges read from an `Accept` or `Accept-Language` header. No honest client sends more. */
const rangesMax = 32

/**
 * Whether an `Accept` header allows the media type. An absent or empty one allows all (RFC 9110,
 * 12.5.1).
 */
export function accepts(header: string | undefined, type: string): boolean {
  const accept = firstRanges(header).toLowerCase()
  if (/^[\s,]*$/.test(accept)) return true
  const negotiator = new Negotiator({ headers: { accept } })
  if (negotiator.mediaType([`${type};charset=utf-8`]) !== undefined) return true
  // A client that asks for the type with another parameter, such as a version, gets it without.
  return negotiator.mediaTypes().includes(type)
}

/**
 * The best match of an `Accept-Language` header, the earlier of two that it likes alike; null if it
 * accepts none of them.
 */
export function acceptedLanguage(
  header: string | undefined,
  languages: readonly Language[] = allLanguages,
): Language | null {
  const negotiator = new Negotiator({ headers: { 'accept-language': firstRanges(header) } })
  const match = negotiator.language([...languages])
  return languages.find((language) => language === match) ?? null
}

function firstRanges(header: string | undefined): string {
  return (header ?? '').split(',', rangesMax).join(',')
}

/** Clients that accept only `application/json` get the same body under that type. */
export function problemTypeFor(header: string | undefined): string {
  const own = 'application/problem+json'
  if (accepts(header, own) || !accepts(header, 'application/json')) return own
  return 'application/json'
}
