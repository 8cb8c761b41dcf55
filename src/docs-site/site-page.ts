/** A heading that a link can lead to. */
export type Heading = { readonly id: string; readonly text: string; readonly level: number }

/** A call that a sample makes. `$NAME` stands for a value that the reader has or an answer gives. */
export type Sample = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Which part of the answer gets which name, such as `OPERATION_ID: operation_id`. */
  readonly keeps: Readonly<Record<string, string>>
  /** The call is repeated until what it reads is at its end. */
  readonly isWatched: boolean
  /** The answer that the sample is about may be a refusal. */
  readonly mayBeRefused: boolean
  /** Where the answer is saved; null if it is shown. */
  readonly file: string | null
}

/** The word and address of another page. */
export type PageLink = { readonly word: string; readonly path: string; readonly purpose: string }
export type LinkGroup = { readonly title: string; readonly pages: readonly PageLink[] }

/** A page of the site, without the text of its article. */
export type SitePage = {
  /** Below `/docs`; empty for the first page. */
  readonly path: string
  readonly title: string
  readonly headings: readonly Heading[]
  readonly samples: readonly Sample[]
  /** Where the text is served as Markdown; null for a page that is no document. */
  readonly markdown: string | null
  readonly groups: readonly LinkGroup[]
  /** Addresses that only the build knows. */
  readonly searchIndex: string
  /** The script that draws the reference. */
  readonly referenceRenderer: string
}

/** The path of a document's page; a folder's README has the folder's own path. */
export function pathOfDocument(file: string): string {
  return file.replace(/\.md$/, '').replace(/\/README$/, '')
}

/** A tag of the API in a fragment of the reference. */
export const slugOfTag = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-')

export const addressOf = (path: string): string => (path === '' ? '/docs' : `/docs/${path}`)

/** What every page loads. */
export type SiteFiles = {
  readonly script: string
  readonly styles: readonly string[]
  readonly colorScheme: string
  readonly icon: string
}

export type Rendering = {
  readonly files: SiteFiles
  /** What stands in the page for the nonce of an answer. */
  readonly nonce: string
}

/** A section of an article, for the search. */
export type Section = { readonly id: string; readonly heading: string; readonly text: string }

/** What is made of a document. */
export type DocumentArticle = Pick<SitePage, 'title' | 'headings' | 'samples'> & {
  readonly html: string
  readonly sections: readonly Section[]
}

/** A page as the search sees it. */
export type Searchable = Pick<SitePage, 'path' | 'title'> & Pick<DocumentArticle, 'sections'>

/** An operation of the API, as far as the site reads it. */
export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly responses: Readonly<Record<string, unknown>>
}
/** The OpenAPI document, as far as the site reads it. */
export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** What a document may refer to. */
export type Surroundings = {
  /** Whether a file is in the folder `docs`. */
  exists(file: string): boolean
  readonly api: ApiDocument
  /** Mermaid text as SVG, with an accessible name. */
  drawDiagram(source: string, name: string): string
}

/** What the build loads of the site: see prerender/prerender.tsx. */
export type Prerender = {
  articleOf(file: string, markdown: string, surroundings: Surroundings): DocumentArticle
  searchIndex(pages: readonly Searchable[], api: ApiDocument): string
  colorSchemeScript(): string
  pageHtml(page: SitePage, html: string, rendering: Rendering): string
}
