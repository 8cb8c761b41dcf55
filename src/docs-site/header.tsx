import { UnstyledButton } from '@mantine/core'
import IconMenu2 from '@tabler/icons-react/icons/IconMenu2'
import { useSyncExternalStore } from 'react'
import { ThemeSwitch } from '../console/shell/theme-switch.tsx'
import { Search } from './search.tsx'
import type { SitePage } from './site-page.ts'

const never = () => () => {}

/** False in the build and during hydration, which must render the same. */
export function useIsInBrowser(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

export function Header({ page }: { readonly page: SitePage }) {
  return (
    <header className="site-header">
      <UnstyledButton
        className="menu-button"
        aria-label="Menu"
        aria-controls="site-navigation"
        onClick={toggleMenu}
      >
        <IconMenu2 size={20} />
      </UnstyledButton>
      <a className="site-name" href="/docs">
        shipping-ledger <span>docs</span>
      </a>
      <Search indexAddress={page.searchIndex} />
      <nav className="site-links" aria-label="Site">
        <a href="/docs/reference">Reference</a>
        <a href="/console">Console</a>
      </nav>
      <span className="site-theme">{useIsInBrowser() && <ThemeSwitch />}</span>
    </header>
  )
}

/** Opens or closes the navigation on narrow screens, through a class for the style sheet. */
function toggleMenu(): void {
  document.body.classList.toggle('menu-open')
}
