/** Prints one line for the person who runs the command. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
