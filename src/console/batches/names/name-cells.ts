import type { Schemas } from '../../../client/methods.ts'
import { idForm, plainText } from '../file/cell-checks.ts'
import type { CsvFile } from '../file/csv-file.ts'
import { cellOf, lineColumns, type Mapping } from '../file/line-columns.ts'
import { plainWords, wordsOf } from '../file/plain-text.ts'

type Agency = Pick<
  Schemas['Agency'],
  'id' | 'name' | 'district' | 'province' | 'department' | 'capabilities'
>
type Product = Pick<Schemas['PackageProduct'], 'id' | 'name'>

/** A name in the file, the same for all lines that have it in this column. */
export type SheetName = {
  readonly key: string
  readonly column: string
  /** As the first line spells it. */
  readonly text: string
}

type Candidate = { readonly id: string; readonly shown: string }

/** What the courier has of a name: the id of the one, or why it is none, with others to choose from. */
export type NameAnswer =
  | { readonly id: string }
  | { readonly detail: string; readonly candidates: readonly Candidate[] }

/** As many as a person looks through. */
const candidatesMax = 20
/** The API's own limits of a search. */
const searchWordsMax = 12
const searchLengthMax = 100
/** A word that was mistyped is most often right at its beginning. */
const beginningLength = 4

/** Null: the cell is blank, or has an id. */
export function nameOf(column: string, cell: string): SheetName | null {
  const text = plainText(cell)
  if (text === '' || idForm.test(text)) return null
  return { key: `${column} ${plainWords(text)}`, column, text }
}

/** Every name in the file once. */
export function namesIn(file: CsvFile, mapping: Mapping): readonly SheetName[] {
  const columns = lineColumns.filter(({ type }) => type === 'name').map(({ name }) => name)
  const found = new Map<string, SheetName>()
  for (const line of file.lines) {
    for (const column of columns) {
      const name = nameOf(column, cellOf(line, mapping, column))
      if (name !== null && !found.has(name.key)) found.set(name.key, name)
    }
  }
  return [...found.values()]
}

export function capabilityOf({ column }: SheetName): 'drop_off' | 'pickup' {
  return column === 'origin_agency' ? 'drop_off' : 'pickup'
}

/** Finds every agency of this name. */
export function searchOf({ text }: SheetName): string {
  return joined(wordsOf(text))
}

/** Finds agencies whose names or places begin like it. */
export function widerSearchOf({ text }: SheetName): string {
  return joined(wordsOf(text).map((word) => word.slice(0, beginningLength)))
}

function joined(words: readonly string[]): string {
  return words.slice(0, searchWordsMax).join(' ').slice(0, searchLengthMax).trim()
}

/** The agencies that have the name, alone or followed by places, as the service finds them. */
export function agenciesNamed<A extends Agency>(
  text: string,
  agencies: readonly A[],
): readonly A[] {
  const wanted = plainWords(text)
  return agencies.filter((agency) => {
    const [name, district, province, department] = [
      agency.name,
      agency.district,
      agency.province,
      agency.department,
    ].map(plainWords)
    const places = [
      [],
      [district],
      [province],
      [department],
      [district, province],
      [district, department],
      [province, department],
      [district, province, department],
    ]
    return places.some((all) => [name, ...all].join(' ') === wanted)
  })
}

/** What the agencies of a search say of a name. */
export function agencyAnswer(name: SheetName, agencies: readonly Agency[]): NameAnswer {
  const capability = capabilityOf(name)
  const fits = ({ capabilities }: Agency) => capabilities.includes(capability)
  const exact = agenciesNamed(name.text, agencies)
  const [first, second] = exact
  if (first !== undefined && second === undefined && fits(first)) return { id: first.id }
  const others = (second === undefined ? agencies : exact).filter(fits)
  const candidates = others.slice(0, candidatesMax).map(({ id, ...one }) => ({
    id,
    shown: `${one.name} · ${one.district}, ${one.province}`,
  }))
  if (second !== undefined) return { detail: 'Several agencies have this name.', candidates }
  const detail =
    first === undefined
      ? 'The courier has no agency of this name.'
      : `The agency does not offer ${capability}.`
  return { detail, candidates }
}

export function productAnswer({ text }: SheetName, products: readonly Product[]): NameAnswer {
  const wanted = plainWords(text)
  const exact = products.filter((product) => plainWords(product.name) === wanted)
  const [first, second] = exact
  if (first !== undefined && second === undefined) return { id: first.id }
  const [detail, others] =
    first === undefined
      ? ['The courier has no kind of parcel of this name.', products]
      : ['Several kinds of parcel have this name.', exact]
  const candidates = others.map(({ id, name }) => ({ id, shown: name }))
  return { detail, candidates: candidates.slice(0, candidatesMax) }
}
