// Many JSON texts as one parameter: as elements of an array each of their quotes would be escaped, sent
// and undone, and within other JSON PostgreSQL would read them three times over.

/** No JSON text has a control character as it stands. */
const separator = '\u001e'

/** The value of such a parameter. */
export function joinedTexts(jsonTexts: readonly string[]): string {
  return jsonTexts.join(separator)
}
