/** A message of PostgreSQL's protocol, as sent on the wire. */
export type Frame = {
  /** One letter; empty for messages that open a connection. */
  readonly type: string
  readonly whole: Buffer
}

/** Messages that open a connection have no letter before their length. */
const openingHeaderBytes = 4
const headerBytes = 5
/** Far more than any message of the service; a longer one is a bug of this parser. */
const frameBytesMax = 64 * 1_024 * 1_024

/** Splits one direction of a connection into messages, however the bytes arrive. */
export class Frames {
  #rest: Buffer = Buffer.alloc(0)
  #isOpening: boolean

  /** Only the client's direction begins with a message without a letter. */
  constructor(isOpening: boolean) {
    this.#isOpening = isOpening
  }

  take(bytes: Buffer): readonly Frame[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const frames: Frame[] = []
    for (;;) {
      const header = this.#isOpening ? openingHeaderBytes : headerBytes
      if (this.#rest.length < header) return frames
      const length = this.#rest.readUInt32BE(header - 4) + (header - 4)
      if (length > frameBytesMax) throw new Error(`a message of ${length} bytes`)
      if (this.#rest.length < length) return frames
      const whole = this.#rest.subarray(0, length)
      this.#rest = this.#rest.subarray(length)
      frames.push({ type: this.#isOpening ? '' : String.fromCharCode(whole[0] ?? 0), whole })
      this.#isOpening = false
    }
  }
}

/** The text from here to the next zero byte. */
export function cStringAt(bytes: Buffer, start: number): string {
  return bytes.toString('utf8', start, bytes.indexOf(0, start))
}
