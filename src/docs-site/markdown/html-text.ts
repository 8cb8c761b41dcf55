/** Escapes text for HTML. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function unescaped(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
}

/** The text content of HTML on one line, without buttons and drawings. */
export function plain(html: string): string {
  const text = html
    .replace(/<svg.*?<\/svg>/gs, ' ')
    .replace(/<button[^>]*>.*?<\/button>/gs, ' ')
    .replace(/<\/?(p|li|tr|td|th|div|pre|h\d|br)\b[^>]*>/g, ' ')
    .replace(/<[^>]+>/g, '')
  return unescaped(text).replace(/\s+/g, ' ').trim()
}
