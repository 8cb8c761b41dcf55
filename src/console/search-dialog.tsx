import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Badge } from './parts/badge.tsx'
import { DialogWindow } from './parts/dialog.tsx'
import { type Found, search } from './parts/search.ts'
import { Said } from './parts/states.tsx'
import { useSession } from './session.tsx'

/** Waits for a pause in typing instead of searching on every keystroke. */
const typingPauseMs = 250
const none: readonly Found[] = []

type SearchProps = {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Finds any object by an id or reference that a person has. Opens with Ctrl K or ⌘K. */
export function SearchDialog({ open, onOpenChange }: SearchProps) {
  return (
    <DialogWindow title="Search" open={open} onOpenChange={onOpenChange} closesOutside>
      <Search onFound={() => onOpenChange(false)} />
    </DialogWindow>
  )
}

function Search({ onFound }: { readonly onFound: () => void }) {
  const { client, key } = useSession()
  const [typed, setTyped] = useState('')
  const text = useSettled(typed.trim())
  const [, goTo] = useLocation()
  const list = useRef<HTMLUListElement>(null)
  const found = useQuery({
    queryKey: ['search', text],
    queryFn: ({ signal }) =>
      search(text, { client, signal, may: (scope) => key.scopes.includes(scope) }),
    enabled: text !== '',
    gcTime: 0,
  })
  const isAnswered = found.data !== undefined && text === typed.trim()
  const results = isAnswered ? found.data : none
  const [awaited, setAwaited] = useState<string | null>(null)
  const hrefAwaited = awaited === text && results.length === 1 ? results[0]?.href : undefined
  useEffect(() => {
    if (hrefAwaited === undefined) return
    goTo(hrefAwaited)
    onFound()
  }, [hrefAwaited, goTo, onFound])
  const onKeyDown = (event: KeyboardEvent) => {
    const links = [...(list.current?.querySelectorAll('a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    if (event.key === 'ArrowDown') links[Math.min(links.length - 1, at + 1)]?.focus()
    else if (event.key === 'ArrowUp') links[Math.max(0, at - 1)]?.focus()
    else if (event.key === 'Enter' && at === -1) {
      if (results[0] === undefined) setAwaited(typed.trim())
      else {
        goTo(results[0].href)
        onFound()
      }
    } else return
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys go from the field to its results
    <div onKeyDown={onKeyDown}>
      <label htmlFor="search">Id, guide number, external reference or idempotency key</label>
      <input
        id="search"
        type="search"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        aria-describedby="search-exact"
      />
      <p id="search-exact" className="reason">
        Search is exact and case-sensitive.
      </p>
      <div role="status" className="count">
        {typed.trim() === '' ? '' : isAnswered ? countOf(results) : 'Searching…'}
      </div>
      {found.error !== null && <Said error={found.error} />}
      <ul className="found" ref={list}>
        {results.map((one) => (
          <FoundItem key={one.id} one={one} onFound={onFound} />
        ))}
      </ul>
    </div>
  )
}

type FoundProps = { readonly one: Found; readonly onFound: () => void }

function FoundItem({ one, onFound }: FoundProps) {
  return (
    <li>
      <Link href={one.href} onClick={onFound}>
        {one.title}
      </Link>{' '}
      {one.state !== null && <Badge value={one.state} />}
      <br />
      <span className="reason">
        {one.kind} · {one.id}
      </span>
    </li>
  )
}

function countOf(found: readonly Found[]): string {
  if (found.length === 0) return 'Nothing matches within this key’s reach.'
  return found.length === 1 ? '1 result' : `${found.length} results`
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingPauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
