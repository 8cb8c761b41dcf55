import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import type { Client } from '../create-client.ts'
import type { Answered, Input } from '../methods.ts'
import { asCommand, clientFlags, clientOf, printed, refusalsTold } from './client-flags.ts'
import { type Call, type Command, CommandFailed, type Flag, UsageError } from './command-line.ts'

const choices = {
  format: ['pdf', 'png', 'zpl'],
  size: ['a6', 'a4', '4x6', '80mm'],
  dpi: ['203', '300'],
  caption: ['true', 'false'],
  layout: ['a6', 'four_on_a4'],
} as const
type Choice = keyof typeof choices

const ofWorkspace = "Default: the workspace's format"

const formatFlags = {
  format: { value: 'FORMAT', description: `pdf, png or zpl. ${ofWorkspace}, or pdf.` },
  size: { value: 'SIZE', description: `a6, a4, 4x6 or 80mm. ${ofWorkspace}, or a6.` },
  dpi: { value: 'DPI', description: `203 or 300, for png and zpl. ${ofWorkspace}, or 203.` },
  caption: {
    value: 'BOOLEAN',
    description: `true or false: the order and the shop above each label. ${ofWorkspace}, or false.`,
  },
  layout: { value: 'LAYOUT', description: 'a6, or four_on_a4 for several labels as a PDF.' },
} as const satisfies Readonly<Record<Choice, Flag>>

export const labels: Command = {
  name: 'labels',
  summary: 'Saves the labels of shipments or of a batch as one file, in the format of a printer.',
  subject: 'shp_…[,shp_…]|bat_…',
  flags: {
    ...clientFlags,
    out: {
      value: 'PATH',
      description:
        'The file, or a folder for a file named by its order; - writes to standard output. Default: this folder. A file name with the ending .pdf, .png or .zpl sets the format.',
    },
    ...formatFlags,
    lines: { value: 'FIRST-LAST', description: 'Only these lines of a batch.' },
    complete: { description: 'Of a batch: waits for labels that are not made yet, or fails.' },
  },
  examples: [
    'labels shp_… --out ./labels/',
    'labels bat_… --format zpl --size 4x6 --dpi 203 --caption true --complete --out monday.zpl',
    'labels shp_…,shp_… --layout four_on_a4 --out - | lp',
  ],
  run: async (call) => {
    const client = clientOf(call)
    const out = outOf(call)
    const fetch = readOf(client, call, out)
    const label = await asCommand(() => refusalsTold(fetch))
    const { contentType, fileName } = label.lastAnswer
    if (out === null) {
      await written(label)
      return null
    }
    const file = isFolder(out) ? join(out, fileName ?? 'labels') : out
    if (endingOf(file) === 'png' && contentType === 'application/zip') {
      throw new CommandFailed(
        'Several images come as a ZIP file: use --format png with an --out that ends in .zip.',
      )
    }
    save(file, label)
    return {
      json: { object: 'label_file', file, content_type: contentType, bytes: label.length },
      text: printed(`${file}: ${label.length} bytes, ${contentType}`),
    }
  },
}

/** The courier makes the last labels of a large batch within minutes. */
const patience = { retry: { requestsMax: 100, totalMs: 120_000 } }

type Label = Answered<Uint8Array>

/** What reads the file. Throws UsageError. */
function readOf(client: Client, call: Call, out: string | null): () => Promise<Label> {
  const { subject, flags } = call
  const format = { ...chosen(call), ...formatOf(call, out) }
  if (/^bat_[0-9A-Za-z]+$/.test(subject)) {
    const asked = { id: subject, ...format, ...linesOf(call) }
    if (!flags.has('complete')) return () => client.batches.getLabels(asked)
    return () => client.batches.getLabels({ ...asked, complete: 'true' }, patience)
  }
  const ids = subject.split(',')
  if (!ids.every((id) => /^shp_[0-9A-Za-z]+$/.test(id))) {
    throw new UsageError('Labels are of shipments (shp_…,shp_…) or of a batch (bat_…).')
  }
  for (const flag of ['lines', 'complete']) {
    if (flags.has(flag)) throw new UsageError(`--${flag} is only for a batch.`)
  }
  const [id = '', ...others] = ids
  const { layout, ...ofOne } = format
  // Only this call asks the courier for a label that is not made yet.
  if (others.length === 0 && layout === undefined) {
    return () => client.documents.getLabel({ id, ...ofOne })
  }
  const { dpi, caption, ...same } = format
  return () =>
    client.documents.printLabels({
      shipment_ids: ids,
      ...same,
      ...(dpi === undefined ? {} : { dpi: dpi === '300' ? 300 : 203 }),
      ...(caption === undefined ? {} : { caption: caption === 'true' }),
    })
}

type Chosen = Pick<Input<'getBatchLabels'>, Choice>

function chosen({ flags }: Call): Chosen {
  const given: Partial<Record<Choice, string>> = {}
  for (const [name, values] of Object.entries(choices) as [Choice, readonly string[]][]) {
    const value = flags.get(name)
    if (value === undefined) continue
    if (!values.includes(value)) {
      throw new UsageError(`--${name} must be one of ${values.join(', ')}.`)
    }
    given[name] = value
  }
  return given as Chosen
}

/** The format that the name of the file promises, unless it is another. Throws UsageError. */
function formatOf({ flags }: Call, out: string | null): Pick<Chosen, 'format'> {
  const ending = out === null || isFolder(out) ? '' : endingOf(out)
  const format = choices.format.find((each) => each === ending)
  if (format === undefined) return {}
  const given = flags.get('format') ?? format
  if (given !== format) {
    throw new UsageError(`--out ends in .${format}, but --format is ${given}.`)
  }
  return { format }
}

function endingOf(file: string): string {
  return extname(file).slice(1).toLowerCase()
}

function linesOf({ flags }: Call): Pick<Input<'getBatchLabels'>, 'first_line' | 'last_line'> {
  const lines = flags.get('lines')
  if (lines === undefined) return {}
  const [, first, last] = /^(\d{1,6})-(\d{1,6})$/.exec(lines) ?? []
  if (first === undefined) throw new UsageError('--lines must be like 1-200.')
  return { first_line: Number(first), last_line: Number(last) }
}

/** The path; null for standard output. */
function outOf({ flags, pathOf, asJson }: Call): string | null {
  const out = flags.get('out') ?? '.'
  if (out !== '-') return out.endsWith('/') ? `${pathOf(out)}/` : pathOf(out)
  if (asJson) throw new UsageError('--json needs a file: --out - writes the label itself.')
  return null
}

function isFolder(path: string): boolean {
  return path.endsWith('/') || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Writes the whole file or nothing. It has recipients' names, so only its owner may read it. */
function save(file: string, label: Uint8Array): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(`${file}.part`, label, { mode: 0o600 })
    renameSync(`${file}.part`, file)
  } catch (error) {
    throw new CommandFailed(printed(`The file ${file} cannot be written.`), { cause: error })
  }
}

function written(label: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(label, (error) => (error ? reject(error) : resolve()))
  })
}
