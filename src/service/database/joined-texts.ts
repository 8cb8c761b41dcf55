// Many JSON texts as one parameter: in an array, each of their quotes would be escaped, sent and
// unescaped, and within other JSON PostgreSQL would parse them three times.

/** JSON text never contains a raw control character. */
const separator = '\u001e'

/** The value of such a parameter. */
export function joinedTexts(jsonTexts: readonly string[]): string {
  return jsonTexts.join(separator)
}
