import MiniSearch from 'minisearch'
import { type Passage, searchOptions } from '../search-options.ts'
import { siteMap } from '../site-map.ts'
import { type ApiDocument, addressOf, type Searchable } from '../site-page.ts'
import { referenceAddress } from './reference-address.ts'

/** The length of the excerpt shown below a result's title. */
const openingMax = 120

/** The index of the whole site, as the browser loads it. */
export function searchIndex(pages: readonly Searchable[], api: ApiDocument): string {
  const passages = [...pages.flatMap(passagesOf), ...operationsOf(api)]
  const index = new MiniSearch<Passage>(searchOptions)
  index.addAll(passages.map((passage, id) => ({ ...passage, id })))
  return JSON.stringify(index)
}

type NewPassage = Omit<Passage, 'id'>

function passagesOf({ path, title, sections }: Searchable): readonly NewPassage[] {
  return sections.map(({ id, heading, text }, index) => ({
    title,
    heading: index === 0 ? '' : heading,
    text,
    address: index === 0 ? addressOf(path) : `${addressOf(path)}#${id}`,
    opening: openingOf(text),
    rank: rankOf(path),
  }))
}

const ranks: Readonly<Record<string, Passage['rank']>> = {
  Start: 'first',
  Guides: 'first',
  Reference: 'next',
  Evidence: 'next',
  'Running it': 'next',
}

/** Pages about the service's internals come last. */
function rankOf(path: string): Passage['rank'] {
  const group = siteMap.find(({ pages }) => pages.some((page) => page.path === path))
  return ranks[group?.title ?? ''] ?? 'last'
}

function operationsOf({ paths }: ApiDocument): readonly NewPassage[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, summary, description = '' } = operation
      return {
        title: summary,
        heading: `${method.toUpperCase()} ${path}`,
        text: `${operationId} ${description}`,
        address: referenceAddress(operation),
        opening: openingOf(description),
        rank: 'next',
      }
    }),
  )
}

function openingOf(text: string): string {
  return text.length <= openingMax ? text : `${text.slice(0, openingMax).trimEnd()}…`
}
