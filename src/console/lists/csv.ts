/**
 * RFC 4180. A cell that a spreadsheet would run as a formula gets an apostrophe, because customers
 * choose their order references.
 */
export function csvOf(names: readonly string[], rows: readonly (readonly string[])[]): string {
  return [names, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}

function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
