import { type AgencyIndex, agencyIndex } from '../../couriers/agency-index.ts'
import {
  type AgencyNames,
  agencyNames,
  plainWords,
  similarAgencies,
} from '../../couriers/agency-names.ts'
import type { Agency, Catalogue, PackageProduct } from '../../couriers/catalogue.ts'
import type { CourierMode } from '../../couriers/couriers.ts'
import { closest } from '../../couriers/spelling.ts'
import { Problem } from '../../errors.ts'
import type { BatchLine } from '../../sheets/batch-line.ts'
import { type SheetLine, unknownIds } from '../../sheets/read-sheet.ts'
import type { LineName, SheetError, Suggestion } from '../../sheets/sheet-line.ts'

/** As many as a person looks through. */
const candidatesMax = 5
/** Unknown names of a batch that get suggestions: each search takes some milliseconds. */
const searchedMax = 100
/** The same as for a creation that cannot read these lists. */
const retryAfterSeconds = 5

/** The agencies and products of a courier when the batch is read. */
type Lists = {
  readonly agencies: AgencyIndex<Agency>
  readonly agenciesNamed: AgencyNames<Agency>
  readonly products: readonly PackageProduct[]
}

type Fault = Omit<SheetError, 'pointer'>
type Found = { readonly id: string } | Fault

type Places = {
  readonly catalogue: Pick<Catalogue, 'agencies' | 'packageProducts'>
  readonly livemode: boolean
  /** The courier of each connection of the workspace. */
  readonly providerOf: (connectionId: string) => string | undefined
  /** The ids that the client says texts stand for. */
  readonly chosen: Readonly<Record<string, string>>
}

/**
 * Replaces the names in a line by ids, or adds errors. Throws a Problem if a list is not known and
 * the courier cannot be asked: no line that needs the list can be judged then.
 */
export type NameLines = (line: SheetLine<BatchLine>) => Promise<SheetLine<BatchLine>>

/**
 * Reads each list once, so that a name means the same in every line. Never picks one of several
 * matches.
 */
export function nameLines({ catalogue, livemode, providerOf, chosen }: Places): NameLines {
  const lists = new Map<string, Promise<Lists>>()
  const known = new Map<string, Found>()
  let searchesLeft = searchedMax
  const find = async (at: LineName, of: Lists): Promise<Found> => {
    const candidates = at.pointer === productPointer ? productsFor(at, of) : agenciesFor(at, of)
    const [first, second] = candidates.exact
    if (first !== undefined && second === undefined) return { id: first.id }
    if (first !== undefined) return severalFault(candidates)
    return await noneFault(candidates, searchesLeft-- > 0)
  }
  const choices = new Map(Object.entries(chosen).map(([text, id]) => [plainWords(text), id]))
  return async (line) => {
    const { names = [], body, errors: earlier = [], understood } = line
    const fields = body ?? understood
    if (names.length === 0 || fields === undefined) return line
    const refuse = (errors: readonly SheetError[]) => ({
      ...line,
      body: null,
      understood: withoutNames(fields, names),
      errors: [...earlier, ...errors],
    })
    const connectionId = fields.courier_connection_id
    if (typeof connectionId !== 'string') {
      const isTold = earlier.some(({ pointer }) => pointer === noConnection.pointer)
      return refuse(isTold ? [] : [noConnection])
    }
    const providerCode = providerOf(connectionId)
    if (providerCode === undefined) return refuse([unknownConnection])
    const reading = lists.get(providerCode) ?? listsOf(catalogue, { livemode, providerCode })
    lists.set(providerCode, reading)
    const of = await reading
    const errors: SheetError[] = []
    for (const name of names) {
      const words = plainWords(name.text)
      const key = JSON.stringify([providerCode, name.pointer, words])
      const choice = choices.get(words)
      const found = known.get(key) ?? (choice === undefined ? await find(name, of) : { id: choice })
      known.set(key, found)
      if ('id' in found) putId(fields, name.pointer, found.id)
      else errors.push(errorAt(name, found))
    }
    return errors.length > 0 ? refuse(errors) : line
  }
}

const noConnection = {
  pointer: '/courier_connection_id',
  reason: 'required',
  detail: 'The field is required.',
}
const unknownConnection = {
  pointer: '/courier_connection_id',
  reason: 'connection_not_found',
  detail: 'The workspace has no such connection.',
}

async function listsOf(catalogue: Places['catalogue'], mode: CourierMode): Promise<Lists> {
  const [agencies, products] = await Promise.all([
    catalogue.agencies(mode),
    catalogue.packageProducts(mode),
  ])
  // A courier that was removed has neither; the connection is refused as in a single creation.
  const index = listed(agencies)?.index ?? (await agencyIndex<Agency>([]))
  return {
    agencies: index,
    agenciesNamed: await agencyNames(index.items),
    products: listed(products)?.items ?? [],
  }
}

function listed<A extends { readonly kind: string }>(answer: A) {
  if (answer.kind === 'listed') return answer as Extract<A, { readonly kind: 'listed' }>
  if (answer.kind === 'absent') return null
  throw new Problem('courier_unreachable', {
    retryAfterSeconds,
    detail:
      "The courier's list of agencies and products cannot be read, so the names in the file cannot be looked up. Nothing was stored; send the batch again.",
  })
}

const productPointer = '/package/product_id'

type Candidate = { readonly id: string; readonly shown: string }

type Candidates = {
  readonly what: 'agency' | 'product'
  readonly idColumn: string
  /** The ones with exactly this name. */
  readonly exact: readonly Candidate[]
  readonly similar: () => Promise<readonly Candidate[]>
}

function agenciesFor({ name, pointer, text }: LineName, of: Lists): Candidates {
  const shown = ({ id, name: called, district, province }: Agency) => ({
    id,
    shown: `${called}, ${district}, ${province} (${id})`,
  })
  const capability = pointer.startsWith('/origin') ? 'drop_off' : 'pickup'
  return {
    what: 'agency',
    idColumn: `${name}_id`,
    exact: of.agenciesNamed(text).map(shown),
    similar: async () => {
      const search = { search: text, capability } as const
      return (await similarAgencies(of.agencies, search, candidatesMax)).map(shown)
    },
  }
}

function productsFor({ name, text }: LineName, { products }: Lists): Candidates {
  const shown = ({ id, name: called }: PackageProduct) => ({ id, shown: `${called} (${id})` })
  const wanted = plainWords(text)
  return {
    what: 'product',
    idColumn: `${name}_id`,
    exact: products.filter((product) => plainNameOf(product) === wanted).map(shown),
    similar: async () => {
      const near = closest(wanted, products.map(plainNameOf), candidatesMax)
      const meant = near.flatMap((each) => products.filter((one) => plainNameOf(one) === each))
      // Few enough to choose from, whatever the file calls them.
      return [...new Set([...meant, ...products])].map(shown)
    },
  }
}

function plainNameOf({ name }: PackageProduct): string {
  return plainWords(name)
}

function severalFault({ what, idColumn, exact }: Candidates): Fault {
  const more = exact.length > candidatesMax ? `, and ${exact.length - candidatesMax} more` : ''
  const all = `${listOf(exact)}${more}`
  const suggestions = suggested(exact)
  return what === 'product'
    ? {
        reason: 'product_ambiguous',
        suggestions,
        detail: `Several products have this name: ${all}. Give the id in \`${idColumn}\`.`,
      }
    : {
        reason: 'agency_ambiguous',
        suggestions,
        detail: `Several agencies have this name: ${all}. Add the district or province to the name, or give the id in \`${idColumn}\`.`,
      }
}

async function noneFault({ what, similar }: Candidates, mayBeSearched: boolean): Promise<Fault> {
  const found = mayBeSearched ? await similar() : []
  const which = what === 'product' ? 'It has' : 'Similar ones'
  const hint = found.length === 0 ? '' : ` ${which}: ${listOf(found)}.`
  return {
    reason: `${what}_not_found`,
    detail: `The courier has no ${what === 'product' ? 'package product' : 'agency'} of this name.${hint}`,
    suggestions: suggested(found),
  }
}

function suggested(candidates: readonly Candidate[]): Suggestion[] {
  return candidates.slice(0, candidatesMax).map(({ id, shown }) => ({
    value: id,
    label: shown.replace(` (${id})`, ''),
  }))
}

function listOf(candidates: readonly Candidate[]): string {
  return candidates
    .slice(0, candidatesMax)
    .map(({ shown }) => shown)
    .join('; ')
}

function putId(fields: object, pointer: string, id: string): void {
  const [group = '', field = ''] = pointer.slice(1).split('/')
  const place = (fields as Readonly<Record<string, Record<string, string>>>)[group]
  if (place !== undefined) place[field] = id
}

/** Without the ids that only stood for names. */
function withoutNames(fields: object, names: readonly LineName[]) {
  const all: Record<string, unknown> = { ...fields }
  for (const { pointer } of names) {
    const [group = '', field = ''] = pointer.slice(1).split('/')
    const { [field]: id, ...rest } = all[group] as Readonly<Record<string, unknown>>
    if (id === unknownIds[field]) all[group] = rest
  }
  return all
}

function errorAt({ name, pointer }: LineName, { detail, ...fault }: Fault): SheetError {
  return { pointer, ...fault, detail: `Column \`${name}\`: ${detail}` }
}
