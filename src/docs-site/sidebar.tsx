import { addressOf, type SitePage } from './site-page.ts'

type SidebarProps = {
  readonly page: SitePage
  /** Hidden until the menu opens it, for pages with their own sidebar. */
  readonly isOverlay?: boolean
}

export function Sidebar({ page, isOverlay = false }: SidebarProps) {
  return (
    <nav
      id="site-navigation"
      className="site-navigation"
      data-overlay={isOverlay || undefined}
      aria-label="Documentation"
    >
      {page.groups.map(({ title, pages }) => (
        <div key={title} className="site-group">
          <p className="site-group-title" id={`group-${title.replaceAll(' ', '-')}`}>
            {title}
          </p>
          <ul aria-labelledby={`group-${title.replaceAll(' ', '-')}`}>
            {pages.map(({ path, word }) => (
              <li key={path}>
                <a
                  className="site-page"
                  href={addressOf(path)}
                  aria-current={path === page.path ? 'page' : undefined}
                >
                  {word}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
