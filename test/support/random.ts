/** The seed from the environment, to repeat a failed run, or a new one. */
export function seedOf(variable: string): number {
  const given = Number(process.env[variable])
  return Number.isInteger(given) && given > 0 ? given : Math.ceil(Math.random() * 2 ** 31)
}

/** Returns a generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
