/** Media ranges read from an `Accept` header; no honest client sends more. */
const rangesMax = 32

type Range = { readonly type: string; readonly quality: number }

function ranges(header: string): readonly Range[] {
  return header
    .split(',', rangesMax)
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const q = parameters.find((parameter) => parameter.startsWith('q='))
      const quality = q === undefined ? 1 : Number(q.slice(2))
      return { type, quality: Number.isNaN(quality) ? 0 : quality }
    })
    .filter(({ type }) => type !== '')
}

/**
 * Whether an `Accept` header allows the media type. An absent or empty one allows all (RFC 9110,
 * 12.5.1).
 */
export function accepts(header: string | undefined, type: string): boolean {
  const accepted = ranges(header ?? '')
  if (accepted.length === 0) return true
  const family = `${type.slice(0, type.indexOf('/'))}/*`
  // The most specific matching range decides.
  for (const wanted of [type, family, '*/*']) {
    const range = accepted.find((candidate) => candidate.type === wanted)
    if (range !== undefined) return range.quality > 0
  }
  return false
}

/** Clients that accept only `application/json` get the same body under that type. */
export function problemTypeFor(header: string | undefined): string {
  const own = 'application/problem+json'
  if (accepts(header, own) || !accepts(header, 'application/json')) return own
  return 'application/json'
}
