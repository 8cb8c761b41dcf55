import { getCollection } from 'astro:content'
import type { APIRoute } from 'astro'
import { api } from '../markdown/api-document.ts'
import { searchIndex } from '../search/search-index.ts'
import { isSearched } from '../site-map.ts'

type Document = {
  readonly id: string
  readonly data: { readonly title: string }
  readonly rendered?: { readonly html: string }
}

export const GET: APIRoute = async () => {
  const documents: readonly Document[] = await getCollection('docs')
  const searched = documents.filter(({ id }) => isSearched(id))
  const pages = searched.map(({ id, data, rendered }) => ({
    path: id,
    title: data.title,
    html: rendered?.html ?? '',
  }))
  return new Response(searchIndex(pages, api))
}
