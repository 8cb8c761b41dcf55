/** A heading that a link can lead to. */
export type Heading = { readonly id: string; readonly text: string; readonly level: number }

/**
 * A sample's call. `$NAME` stands for one of the reader's values or a value from an earlier
 * response.
 */
export type Sample = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** The values to keep from the response, such as `OPERATION_ID: operation_id`. */
  readonly keeps: Readonly<Record<string, string>>
  /** The call is repeated until the operation ends. */
  readonly isWatched: boolean
  /** The response may be an error. */
  readonly mayBeRefused: boolean
  /** The file to save the response to; null if it is shown. */
  readonly file: string | null
}

/** A link to another page. */
export type PageLink = { readonly word: string; readonly path: string; readonly purpose: string }
export type LinkGroup = { readonly title: string; readonly pages: readonly PageLink[] }

/** A page of the site, without the text of its article. */
export type SitePage = {
  /** Below `/docs`; empty for the first page. */
  readonly path: string
  readonly title: string
  readonly headings: readonly Heading[]
  readonly samples: readonly Sample[]
  /** The address of the page as Markdown; null if the page is not a document. */
  readonly markdown: string | null
  readonly groups: readonly LinkGroup[]
  /** The address of the search index, which has a digest. */
  readonly searchIndex: string
  /** The address of the script that renders the reference. */
  readonly referenceRenderer: string
  /** The address of the `CodeSamples` of the reference. */
  readonly codeSamples: string
}

/** A call as a program, in the form of the OpenAPI extension `x-codeSamples`. */
export type CodeSample = {
  readonly lang: string
  readonly label: string
  readonly source: string
}
/** The samples of each operation, by operation id. */
export type CodeSamples = Readonly<Record<string, readonly CodeSample[]>>

/** The path of a document's page; a folder's README has the folder's own path. */
export function pathOfDocument(file: string): string {
  return file.replace(/\.md$/, '').replace(/\/README$/, '')
}

/** An API tag in a fragment of the reference. */
export const slugOfTag = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-')

export const addressOf = (path: string): string => (path === '' ? '/docs' : `/docs/${path}`)

/** The files that every page loads. */
export type SiteFiles = {
  readonly script: string
  readonly styles: readonly string[]
  readonly colorScheme: string
  readonly icon: string
}

export type Rendering = {
  readonly files: SiteFiles
  /** The placeholder for the response's nonce. */
  readonly nonce: string
}

/** A section of an article, for the search. */
export type Section = { readonly id: string; readonly heading: string; readonly text: string }

/** A rendered document. */
export type DocumentArticle = Pick<SitePage, 'title' | 'headings' | 'samples'> & {
  readonly html: string
  readonly sections: readonly Section[]
}

/** The parts of a page that the search indexes. */
export type Searchable = Pick<SitePage, 'path' | 'title'> & Pick<DocumentArticle, 'sections'>

/** The fields of an API operation that the site uses. */
export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly responses: Readonly<Record<string, unknown>>
}
/** The parts of the OpenAPI document that the site uses. */
export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** What rendering a document needs. */
export type Surroundings = {
  /** Whether a file is in the folder `docs`. */
  exists(file: string): boolean
  readonly api: ApiDocument
  /** Renders Mermaid text as SVG with an accessible name. */
  drawDiagram(source: string, name: string): string
}

/** The exports of prerender/prerender.tsx that the build uses. */
export type Prerender = {
  articleOf(file: string, markdown: string, surroundings: Surroundings): DocumentArticle
  searchIndex(pages: readonly Searchable[], api: ApiDocument): string
  colorSchemeScript(): string
  pageHtml(page: SitePage, html: string, rendering: Rendering): string
}
