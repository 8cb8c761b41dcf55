import { type AgencyIndex, agencyIndex } from '../../couriers/agency-index.ts'
import {
  type AgencyNames,
  agencyNames,
  plainWords,
  similarAgencies,
} from '../../couriers/agency-names.ts'
import type { Agency, Catalogue, PackageProduct } from '../../couriers/catalogue.ts'
import type { CourierMode } from '../../couriers/couriers.ts'
import type { FieldError } from '../../error-kinds.ts'
import { Problem } from '../../errors.ts'
import type { LineName, RawLine } from './lines/raw-line.ts'

/** As many as a person looks through. */
const candidatesMax = 5
/** Unknown names of a batch for which similar ones are searched: each takes some milliseconds. */
const searchedMax = 100
/** The wait of a creation that cannot read the same lists. */
const retryAfterSeconds = 5

/** What a courier has, as it is when the batch is read. */
type Lists = {
  readonly agencies: AgencyIndex<Agency>
  readonly agenciesNamed: AgencyNames<Agency>
  readonly products: readonly PackageProduct[]
}

type Fault = Omit<FieldError, 'pointer'>
type Found = { readonly id: string } | Fault

type Places = {
  readonly catalogue: Pick<Catalogue, 'agencies' | 'packageProducts'>
  readonly livemode: boolean
  /** The courier of each connection of the workspace. */
  readonly providerOf: (connectionId: string) => Promise<string | undefined>
}

/**
 * Puts the ids into a line that has names in their place, or the errors. Throws a Problem if a list
 * is not known and the courier cannot be asked: nothing can be said of any line that needs it.
 */
export type NameLines = (line: RawLine, connectionId: unknown) => Promise<RawLine>

/** Reads each list once, so that a name means the same in all lines. Never picks one of several. */
export function nameLines({ catalogue, livemode, providerOf }: Places): NameLines {
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
  return async (line, connectionId) => {
    const { names = [], fields } = line
    if (names.length === 0 || fields === null) return line
    if (typeof connectionId !== 'string') return { ...line, fields: null, errors: [noConnection] }
    const providerCode = await providerOf(connectionId)
    if (providerCode === undefined) return { ...line, fields: null, errors: [unknownConnection] }
    const reading = lists.get(providerCode) ?? listsOf(catalogue, { livemode, providerCode })
    lists.set(providerCode, reading)
    const of = await reading
    const errors: FieldError[] = []
    let whole = fields
    for (const name of names) {
      const key = JSON.stringify([providerCode, name.pointer, plainWords(name.text)])
      const found = known.get(key) ?? (await find(name, of))
      known.set(key, found)
      if ('id' in found) whole = withId(whole, name.pointer, found.id)
      else errors.push(errorAt(name, found))
    }
    return errors.length > 0
      ? { ...line, fields: null, errors }
      : { line: line.line, fields: whole, errors }
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
  // A courier that was removed has none; the connection is refused as in a creation.
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
  /** Those that have exactly this name. */
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
    exact: products.filter((product) => plainWords(product.name) === wanted).map(shown),
    similar: async () => products.map(shown),
  }
}

function severalFault({ what, idColumn, exact }: Candidates): Fault {
  const more = exact.length > candidatesMax ? `, and ${exact.length - candidatesMax} more` : ''
  const all = `${listOf(exact)}${more}`
  return what === 'product'
    ? {
        reason: 'product_ambiguous',
        detail: `Several products have this name: ${all}. Give the id in \`${idColumn}\`.`,
      }
    : {
        reason: 'agency_ambiguous',
        detail: `Several agencies have this name: ${all}. Add the district or province to the name, or give the id in \`${idColumn}\`.`,
      }
}

async function noneFault({ what, similar }: Candidates, mayBeSearched: boolean): Promise<Fault> {
  const found = mayBeSearched ? await similar() : []
  const hint = found.length === 0 ? '' : ` Similar ones: ${listOf(found)}.`
  return {
    reason: `${what}_not_found`,
    detail: `The courier has no ${what === 'product' ? 'package product' : 'agency'} of this name.${hint}`,
  }
}

function listOf(candidates: readonly Candidate[]): string {
  return candidates
    .slice(0, candidatesMax)
    .map(({ shown }) => shown)
    .join('; ')
}

function withId(fields: NonNullable<RawLine['fields']>, pointer: string, id: string) {
  const [group = '', field = ''] = pointer.slice(1).split('/')
  return { ...fields, [group]: { ...(fields[group] as object), [field]: id } }
}

function errorAt({ name, pointer }: LineName, { reason, detail }: Fault): FieldError {
  return { pointer, reason, detail: `Column \`${name}\`: ${detail}` }
}
