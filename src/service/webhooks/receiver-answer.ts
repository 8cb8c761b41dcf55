/** Enough for a person to see what a receiver answered. Stored with every attempt. */
export const excerptBytesMax = 2_048

/** Control characters except tabs and line feeds, and characters that change the text direction. */
const notShown = /(?![\t\n])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/**
 * Text of the first bytes of an answer: invalid UTF-8 and control characters become U+FFFD, and a
 * character cut in half is omitted. Null if there is no text.
 */
export function excerptOf(chunks: readonly Buffer[]): string | null {
  if (chunks.length === 0) return null
  const text = new TextDecoder().decode(Buffer.concat(chunks), { stream: true })
  return text === '' ? null : text.replaceAll('\r\n', '\n').replace(notShown, '\ufffd')
}

/**
 * HTTP dates that name their zone; anything else that `Date.parse` accepts is local time or no
 * date.
 */
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, .* GMT$/

/** `Retry-After` in seconds or as a date; null when it is neither. Never negative, and a safe integer. */
export function retryAfterMsOf(header: string | null, now: number): number | null {
  if (header === null) return null
  const waitMs = /^[0-9]+$/.test(header)
    ? Number(header) * 1_000
    : httpDate.test(header)
      ? Date.parse(header) - now
      : Number.NaN
  if (Number.isNaN(waitMs)) return null
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, waitMs))
}
