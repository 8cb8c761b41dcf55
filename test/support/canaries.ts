import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

export type Canaries = Readonly<Record<string, string>>
export type Sighting = { readonly canary: string; readonly form: string; readonly where: string }

/**
 * A unique string per field: wherever it shows up, that field has leaked. Letters only, to be valid
 * both as a name and as text.
 */
export function makeCanaries(fields: readonly string[]): Canaries {
  return Object.fromEntries(fields.map((field) => [field, `Canary${letters(randomBytes(12))}`]))
}

/** A unique DNI: eight digits that do not occur in the code. */
export function canaryDocument(): string {
  return String(10_000_000 + (randomBytes(4).readUInt32BE() % 89_999_999))
}

function letters(bytes: Buffer): string {
  return [...bytes].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')
}

type Form = { readonly canary: string; readonly form: string; readonly bytes: Buffer }

/** The bytes of a text in every encoding to search for. */
function formsOf(canary: string, text: string): readonly Form[] {
  const raw = Buffer.from(text, 'utf8')
  const forms: Form[] = []
  const add = (form: string, bytes: Buffer) => forms.push({ canary, form, bytes })
  add('as it is', raw)
  add('in upper case', Buffer.from(text.toUpperCase()))
  add('in lower case', Buffer.from(text.toLowerCase()))
  add('as hexadecimal', Buffer.from(raw.toString('hex')))
  add('as upper-case hexadecimal', Buffer.from(raw.toString('hex').toUpperCase()))
  add('as UTF-16LE', Buffer.from(text, 'utf16le'))
  add('as UTF-16BE', Buffer.from(text, 'utf16le').swap16())
  for (const shift of [0, 1, 2]) {
    for (const encoding of ['base64', 'base64url'] as const) {
      add(`as ${encoding}`, Buffer.from(withinBase64(raw, shift, encoding)))
    }
  }
  return forms
}

/**
 * The base64 characters that do not depend on the surrounding text, for one of the three
 * alignments.
 */
function withinBase64(raw: Buffer, shift: number, encoding: 'base64' | 'base64url'): string {
  const padded = Buffer.concat([Buffer.alloc(shift), raw])
  const whole = padded.subarray(0, padded.length - (padded.length % 3))
  return whole.toString(encoding).slice(shift === 0 ? 0 : 4)
}

/**
 * Finds every place where a canary is readable, in files, folders and named texts (logs, answers):
 * as raw bytes, in other letter case, in hexadecimal, UTF-16 or base64.
 */
export function searchForCanaries(
  paths: readonly string[],
  canaries: Canaries,
  texts: Readonly<Record<string, string>> = {},
): readonly Sighting[] {
  const forms = Object.entries(canaries).flatMap(([field, text]) => formsOf(field, text))
  const sightings: Sighting[] = []
  const find = finderOf(forms.map(({ bytes }) => bytes))
  const search = (where: string, bytes: Buffer): void => {
    for (const index of find(bytes)) {
      const { canary, form } = forms[index] as Form
      sightings.push({ canary, form, where })
    }
  }
  for (const file of paths.flatMap(filesBelow)) {
    const bytes = readIfThere(file)
    if (bytes !== undefined) search(file, bytes)
  }
  for (const [name, text] of Object.entries(texts)) search(name, Buffer.from(text))
  return sightings
}

/** Patterns are looked up by their first two bytes. */
const beginnings = 65_536

/**
 * Finds which of many byte strings occur in another, in one pass: with hundreds of them, one pass
 * each over a large database would take most of a minute.
 */
export function finderOf(wanted: readonly Buffer[]): (bytes: Buffer) => ReadonlySet<number> {
  const byBeginning = new Map<number, number[]>()
  const isBeginning = new Uint8Array(beginnings)
  for (const [index, bytes] of wanted.entries()) {
    const beginning = bytes.readUInt16LE()
    isBeginning[beginning] = 1
    byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), index])
  }
  return (bytes) => {
    const found = new Set<number>()
    for (let at = 0; at + 1 < bytes.length; at++) {
      const beginning = (bytes[at] as number) | ((bytes[at + 1] as number) << 8)
      if (isBeginning[beginning] === 0) continue
      for (const index of byBeginning.get(beginning) ?? []) {
        const one = wanted[index] as Buffer
        const isWithin = at + one.length <= bytes.length
        if (isWithin && one.compare(bytes, at, at + one.length) === 0) found.add(index)
      }
    }
    return found
  }
}

/** A running database creates and removes files; a missing file counts as empty. */
function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw error
  }
}

/** Every file in a folder, or the file itself. */
export function filesBelow(path: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new Error(`${path} is not there: nothing was searched`)
  if (found.isFile()) return [path]
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/**
 * Every table of a database as text, by name: PostgreSQL compresses long values and log pages, so
 * searching its files is not enough. Bytes are shown as hexadecimal.
 */
export async function tablesAsText(adminUrl: string): Promise<Readonly<Record<string, string>>> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string; quoted: string }>(
      `SELECT schemaname || '.' || tablename AS name,
              format('%I.%I', schemaname, tablename) AS quoted
       FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    )
    const texts: Record<string, string> = {}
    for (const { name, quoted } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT t::text AS row FROM ${quoted} AS t`,
      )
      texts[name] = rows.map(({ row }) => row).join('\n')
    }
    return texts
  } finally {
    await client.end()
  }
}
