/*
 * Long lists are processed in slices of a few milliseconds, so that other work can run in between.
 * The pause is a parameter, so that tests can count the work between two pauses.
 */
export type Pause = () => Promise<void>

const waiting: (() => void)[] = []

/**
 * Resolves in a later turn of the event loop. Each turn resumes only one waiting caller, so that
 * many lists block the loop no longer than one does.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(resumeOne)
  })
}

function resumeOne(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resumeOne)
}

/** Items processed in one slice: 20 µs each. */
export const itemsAtOnceMax = 100
/** Items sorted or merged in one slice: a comparison takes a fraction of a microsecond. */
const sortedAtOnceMax = 2_000

/** Calls the function for each item, in order. */
export async function forEachInSlices<T>(
  items: readonly T[],
  act: (item: T, index: number) => void,
  pause: Pause,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % itemsAtOnceMax === 0) await pause()
    act(item, index)
  }
}

/** Like `items.toSorted(compare)`, but in slices. */
export async function sortInSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  pause: Pause,
): Promise<T[]> {
  let runs: T[][] = []
  for (let from = 0; from < items.length; from += sortedAtOnceMax) {
    if (from > 0) await pause()
    runs.push(items.slice(from, from + sortedAtOnceMax).sort(compare))
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await merge([runs[at] ?? [], runs[at + 1] ?? []], compare, pause))
    }
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<T>(
  [left, right]: readonly [T[], T[]],
  compare: (a: T, b: T) => number,
  pause: Pause,
): Promise<T[]> {
  const merged: T[] = []
  let [fromLeft, fromRight] = [0, 0]
  while (fromLeft < left.length || fromRight < right.length) {
    const isRight =
      fromLeft === left.length ||
      (fromRight < right.length && compare(right[fromRight] as T, left[fromLeft] as T) < 0)
    merged.push((isRight ? right[fromRight++] : left[fromLeft++]) as T)
    if (merged.length % sortedAtOnceMax === 0) await pause()
  }
  return merged
}
