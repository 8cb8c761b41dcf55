import { InOnePicture } from '../console/parts/in-one-picture.tsx'
import { addressOf, type SitePage } from './site-page.ts'

/** The first page: an introduction, where to start, and all listed pages. */
export function Overview({ page }: { readonly page: SitePage }) {
  return (
    <div className="overview">
      <h1>{page.title}</h1>
      <p className="overview-lead">
        Create courier guides through one API. If a courier’s response is lost, you never pay for a
        second guide: the same key always returns the first.
      </p>
      <InOnePicture />
      <div className="doors">
        <a className="door" href="/docs/guides/quick-start">
          <strong>Build</strong>
          <span>Create your first guide, here in the page.</span>
        </a>
        <a className="door" href="/console">
          <strong>Operate</strong>
          <span>Ship, track and decide in the console.</span>
        </a>
      </div>
      <p className="overview-starts">
        <a href="/docs/reference">API reference</a>
        <a href="/openapi.json">OpenAPI document</a>
      </p>
      {page.groups.map(({ title, pages }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul className="overview-pages">
            {pages.map(({ path, word, purpose }) => (
              <li key={path}>
                <a href={addressOf(path)}>{word}</a>
                <p>{purpose}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
