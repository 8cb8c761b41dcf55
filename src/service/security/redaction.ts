/**
 * The last line of defense before a log: the logger already withholds unknown fields. The patterns
 * start with a literal and are bounded, so a hostile line takes linear time.
 */
const removed = '[redacted]'
const secrets: readonly (readonly [RegExp, string])[] = [
  [/svc_(test|live)_\w+/g, `svc_$1_${removed}`],
  [/whsec_[\w+/=-]+/g, `whsec_${removed}`],
  // Our own texts contain the placeholder `Bearer <API key>`, which is not a secret.
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
