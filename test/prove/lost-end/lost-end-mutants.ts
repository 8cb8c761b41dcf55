/** A flaw that the proof must find, made in the text of the code. */
export type LostEndMutant = {
  readonly name: string
  /** Files with what is there, once, and what is there instead. */
  readonly changes: readonly (readonly [file: string, before: string, after: string])[]
  readonly round: 'promotion' | 'restore'
  readonly environment: Readonly<Record<string, string>>
  /** The kinds of violations of which at least one must be found. */
  readonly breaks: readonly string[]
}

export const lostEndMutants: readonly LostEndMutant[] = []
