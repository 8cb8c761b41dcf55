import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { screens } from '../screens.tsx'

const page = 'shipping-ledger console'

/** Names the screen in the tab and in the browser's history: only the screen's word and an id. */
export function useDocumentTitle(hasEntered: boolean): void {
  const [location] = useLocation()
  useEffect(() => {
    document.title = hasEntered ? `${nameOf(location)} · ${page}` : `Sign in · ${page}`
  }, [location, hasEntered])
}

function nameOf(location: string): string {
  const [, first, id] = location.split('/')
  const screen = screens.find(({ path, title }) => title !== null && path === `/${first}`)
  const word = screen?.title ?? (first === 'objects' ? 'Object' : 'No such page')
  return /^[a-z]+_[0-9A-Za-z]+$/.test(id ?? '') ? `${word} ${id}` : word
}
