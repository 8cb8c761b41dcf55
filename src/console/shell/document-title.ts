import { i18n } from '@lingui/core'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { screens } from '../screens.tsx'

/**
 * Sets the document's title to the screen's name and an id, because it stays in the browser's
 * history.
 */
export function useDocumentTitle(hasEntered: boolean): void {
  const [location] = useLocation()
  useEffect(() => {
    const name = hasEntered ? nameOf(location) : i18n.t('Sign in')
    document.title = `${name} · ${i18n.t('shipping-ledger console')}`
  }, [location, hasEntered])
}

function nameOf(location: string): string {
  const [, first, id] = location.split('/')
  const screen = screens.find(({ path, title }) => title !== null && path === `/${first}`)
  const word =
    screen?.title?.() ?? (first === 'objects' ? i18n.t('Object') : i18n.t('Page not found'))
  return /^[a-z]+_[0-9A-Za-z]+$/.test(id ?? '') ? `${word} ${id}` : word
}
