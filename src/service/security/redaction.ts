/**
 * The last line of defense before a log: secrets are kept out earlier, by logging only known
 * fields. The patterns start at a literal and are bounded, so a hostile line costs linear time.
 */
const removed = '[redacted]'
const secrets: readonly (readonly [RegExp, string])[] = [
  [/svc_(test|live)_\w+/g, `svc_$1_${removed}`],
  [/whsec_[\w+/=-]+/g, `whsec_${removed}`],
  // `Bearer <API key>` in our own sentences names a secret, and is none.
  [/\b(Bearer|Basic)\s{1,8}(?!<[a-z ]{1,32}>)[^\s"'\\,;]+/gi, `$1 ${removed}`],
  [/:\/\/([^\s:/@"]{0,256}):[^\s@"]{1,1024}@/g, `://$1:${removed}@`],
  [
    /\b(password|passwd|secret|api_?key)(\\?["']?\s{0,4}[=:]\s{0,4}\\?["']?)[^\s"'\\,;&}]+/gi,
    `$1$2${removed}`,
  ],
]

/** The text without API keys, webhook secrets, bearer tokens and passwords in addresses. */
export function redact(text: string): string {
  let clean = text
  for (const [pattern, replacement] of secrets) clean = clean.replace(pattern, replacement)
  return clean
}
