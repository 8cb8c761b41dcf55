import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { LastFilters } from './parts/list-link.tsx'
import { StaleNotice } from './parts/stale-notice.tsx'
import { ThemeSwitch } from './parts/theme-switch.tsx'
import { ZoneSwitch } from './parts/times.tsx'
import { screens } from './screens.tsx'
import { SearchDialog } from './search-dialog.tsx'
import { useEntry, useSession } from './session.tsx'

/** What surrounds every screen: the mode's banner, navigation, search and sign-out. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { key } = useSession()
  const [isSearching, setSearching] = useState(false)
  useSearchKeys(() => setSearching(true))
  return (
    <div className="shell" data-mode={key.livemode ? 'live' : 'test'}>
      <a className="skip" href="#screen">
        Skip to the content
      </a>
      <header className="top">
        <ModeBanner />
        <button type="button" className="search-opener" onClick={() => setSearching(true)}>
          Search <kbd>Ctrl K</kbd>
        </button>
        <ZoneSwitch />
        <ThemeSwitch />
        <SignOut />
      </header>
      <Navigation />
      <ScreenArea>
        <StaleNotice />
        <LastFilters>{children}</LastFilters>
      </ScreenArea>
      <SearchDialog open={isSearching} onOpenChange={setSearching} />
    </div>
  )
}

/** The mode is shown by a word and by a color, so that either alone is enough. */
function ModeBanner() {
  const { key } = useSession()
  return (
    <p className="mode">
      <strong>{key.livemode ? 'LIVE' : 'TEST'}</strong>
      <span className="whose">
        {key.livemode ? 'real guides' : 'simulated courier'} · key …{key.last4}
      </span>
    </p>
  )
}

function SignOut() {
  const { leave } = useEntry()
  return (
    <button type="button" onClick={leave}>
      Sign out
    </button>
  )
}

function Navigation() {
  const [location] = useLocation()
  const { key } = useSession()
  const entries = screens.filter(({ title }) => title !== null)
  const bar = useRef<HTMLElement>(null)
  // On a narrow screen the navigation is wider than the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another entry
  useEffect(() => {
    const entry = bar.current?.querySelector('[aria-current]')
    entry?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [location])
  return (
    <nav className="navigation" aria-label="Screens" ref={bar}>
      {entries.map(({ path, title, scope }) => (
        <Link
          key={path}
          href={path}
          aria-current={location.startsWith(path) ? 'page' : undefined}
          className={scope === null || key.scopes.includes(scope) ? undefined : 'out-of-scope'}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}

/** Moves a screen reader to the content, on entering and when the address changes. */
function ScreenArea({ children }: { readonly children: ReactNode }) {
  const [location] = useLocation()
  const area = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another content
  useEffect(() => area.current?.focus(), [location])
  return (
    <main id="screen" className="screen" ref={area} tabIndex={-1}>
      {children}
    </main>
  )
}

function useSearchKeys(open: () => void) {
  const opener = useRef(open)
  opener.current = open
  // A layout effect: the keys must work from the moment that the page is shown.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      opener.current()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
