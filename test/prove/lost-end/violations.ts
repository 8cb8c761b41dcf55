/** Violations of the promises in a round, by kind, with examples. */
export class Violations {
  readonly #found = new Map<string, string[]>()

  add(kind: string, detail = ''): void {
    const details = this.#found.get(kind)
    if (details === undefined) this.#found.set(kind, [detail])
    else details.push(detail)
  }

  check(isSo: boolean, kind: string, detail = ''): void {
    if (!isSo) this.add(kind, detail)
  }

  get count(): number {
    return [...this.#found.values()].reduce((sum, { length }) => sum + length, 0)
  }

  /** One line per kind. */
  lines(): readonly string[] {
    return [...this.#found].map(
      ([kind, details]) => `${kind}: ${details.length}, such as ${details.slice(0, 3).join(' | ')}`,
    )
  }
}
