import { memo } from 'react'
import { addressOf, type Heading, type PageLink, type SitePage } from './site-page.ts'

/** With more headings, only the sections are listed. */
const headingsMax = 90

type ArticleProps = { readonly page: SitePage; readonly html: string }

export function Article({ page, html }: ArticleProps) {
  const pages = page.groups.flatMap((group) => group.pages)
  const index = pages.findIndex(({ path }) => path === page.path)
  const shown = shownHeadings(page.headings)
  return (
    <div className="article-columns" data-wide={shown.length === 0 || undefined}>
      <article className="article-column">
        {page.markdown !== null && (
          <p className="article-source">
            <a href={`/docs/${page.markdown}`}>This page as Markdown</a>
          </p>
        )}
        <Text html={html} />
        {index !== -1 && (
          <nav className="neighbors" aria-label="Neighboring pages">
            <Neighbor page={pages[index - 1]} is="Previous" />
            <Neighbor page={pages[index + 1]} is="Next" />
          </nav>
        )}
      </article>
      {shown.length > 0 && <Contents headings={shown} />}
    </div>
  )
}

/** Never rendered again, because running samples change parts of it in place. */
const Text = memo(
  ({ html }: { readonly html: string }) => (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the build made it from our own documents
    <div id="article" className="article" dangerouslySetInnerHTML={{ __html: html }} />
  ),
  () => true,
)

function Neighbor({ page, is }: { readonly page: PageLink | undefined; readonly is: string }) {
  if (page === undefined) return <span />
  return (
    <a className="neighbor" href={addressOf(page.path)} data-is={is}>
      <span>{is}</span>
      {page.word}
    </a>
  )
}

/** The headings of the table of contents; empty if there are too few. */
function shownHeadings(headings: readonly Heading[]): readonly Heading[] {
  const sections = headings.filter(({ level }) => level === 2)
  const parts = headings.filter(({ level }) => level === 2 || level === 3)
  const shown = parts.length > headingsMax ? sections : parts
  return shown.length < 2 ? [] : shown
}

function Contents({ headings }: { readonly headings: readonly Heading[] }) {
  return (
    <nav className="contents" aria-labelledby="contents-title">
      <p className="site-group-title" id="contents-title">
        On this page
      </p>
      <ul>
        {headings.map(({ id, text, level }) => (
          <li key={id} className="contents-entry" data-level={level}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
