const format = new Intl.NumberFormat('en')

/** `1 line`, `2,000 lines`. */
export function counted(count: number, noun: string): string {
  return `${format.format(count)} ${noun}${count === 1 ? '' : 's'}`
}
