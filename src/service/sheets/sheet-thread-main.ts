import { parentPort } from 'node:worker_threads'
import { Problem } from '../errors.ts'
import { readSheet, type SheetLine } from './read-sheet.ts'
import type { FromThread, ToRead } from './sheet-thread.ts'

/** Parsed in one go by the other thread: about a millisecond. */
const partCharactersMax = 64 * 1024
const partLinesMax = 200

// Errors of cells are values here, and their traces cost more than the cells.
Error.stackTraceLimit = 0

const post = (message: FromThread, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer)

function read({ number, request, bytes }: ToRead): void {
  let texts: string[] = []
  let characters = 0
  const send = () => {
    if (texts.length === 0) return
    const lines = new TextEncoder().encode(`[${texts.join(',')}]`)
    post({ number, lines }, [lines.buffer])
    texts = []
    characters = 0
  }
  const take = (line: SheetLine<unknown>) => {
    const text = JSON.stringify(line)
    texts.push(text)
    characters += text.length
    if (texts.length >= partLinesMax || characters >= partCharactersMax) send()
  }
  try {
    const end = readSheet(Buffer.from(bytes.buffer), request, take)
    send()
    post({ number, end })
  } catch (error) {
    if (error instanceof Problem) {
      const { reason, options } = error
      post({ number, refused: { reason, options: { ...options, cause: undefined } } })
    } else post({ number, failed: error instanceof Error ? error.message : 'unknown' })
  }
}

parentPort?.on('message', read)
