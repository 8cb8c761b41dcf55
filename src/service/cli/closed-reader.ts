/** What a shell reports for a program that SIGPIPE ended: 128 and the number of the signal. */
const brokenPipeExit = 141

/** Ends the process without a word when nothing reads its output any more, as in `… | head`. */
export function endWhenReaderCloses(stream: NodeJS.WritableStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(brokenPipeExit)
  })
}
