import MiniSearch from 'minisearch'
import { plain } from '../markdown/html-text.ts'
import { referenceAddress } from '../markdown/reference-address.ts'
import { siteMap } from '../site-map.ts'
import { type ApiDocument, addressOf } from '../site-page.ts'
import { type Passage, searchOptions } from './search-options.ts'

/** The length of the excerpt shown below a result's title. */
const openingMax = 120

/** A page as the search reads it. */
type Searchable = { readonly path: string; readonly title: string; readonly html: string }
type NewPassage = Omit<Passage, 'id'>

/** The index of the pages and the API's operations, as the browser loads it. */
export function searchIndex(pages: readonly Searchable[], api: ApiDocument): string {
  const passages = [...pages.flatMap(passagesOf), ...operationsOf(api)]
  const index = new MiniSearch<Passage>(searchOptions)
  index.addAll(passages.map((passage, id) => ({ ...passage, id })))
  return JSON.stringify(index)
}

function passagesOf({ path, title, html }: Searchable): readonly NewPassage[] {
  const rank = rankOf(path)
  return sectionsOf(html).map(({ id, heading, text }, index) => ({
    title,
    heading: index === 0 ? '' : heading,
    text,
    address: index === 0 ? addressOf(path) : `${addressOf(path)}#${id}`,
    opening: openingOf(text),
    rank,
  }))
}

/** Splits a page by its headings. Of each sample, only the first language counts. */
function sectionsOf(html: string) {
  return html
    .replace(/<!--other languages-->.*?<!--end-->/gs, '')
    .replace(/<a class="sl-anchor-link".*?<\/a>/gs, '')
    .split(/(?=<h[1-6] id=")/)
    .flatMap((part) => {
      const [whole, id = '', heading = ''] = /^<h\d id="([^"]*)">(.*?)<\/h\d>/s.exec(part) ?? []
      if (whole === undefined) return []
      return [{ id, heading: plain(heading), text: plain(part.slice(whole.length)) }]
    })
}

/** Pages that are not in the sidebar come last. */
function rankOf(path: string): Passage['rank'] {
  const group = siteMap.find(({ pages }) => pages.some((page) => page.path === path))
  if (group === undefined) return 'last'
  return group.title === 'Start' || group.title === 'Guides' ? 'first' : 'next'
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
  const opening = text.replaceAll('`', '')
  return opening.length <= openingMax ? opening : `${opening.slice(0, openingMax).trimEnd()}…`
}
