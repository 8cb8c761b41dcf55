import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { screens } from '../screens.tsx'

const page = 'shipping-ledger console'

/**
 * Sets the document's title to the screen's name and an id, because it stays in the browser's
 * history.
 */
export function useDocumentTitle(hasEntered: boolean): void {
  const [location] = useLocation()
  useEffect(() => {
    document.title = hasEntered ? `${nameOf(location)} · ${page}` : `Sign in · ${page}`
  }, [location, hasEntered])
}

function nameOf(location: string): string {
  const [, first, id] = location.split('/')
  const screen = screens.find(({ path, title }) => title !== null && path === `/${first}`)
  const word = screen?.title ?? (first === 'objects' ? 'Object' : 'Page not found')
  return /^[a-z]+_[0-9A-Za-z]+$/.test(id ?? '') ? `${word} ${id}` : word
}
