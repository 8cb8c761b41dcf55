import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Badge } from './parts/badge.tsx'
import { DialogWindow } from './parts/dialog.tsx'
import { type Found, search } from './parts/search.ts'
import { Said } from './parts/states.tsx'
import { useSession } from './session.tsx'

/** Who types is not asked for at every key. */
const typingPauseMs = 250

type SearchProps = {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Finds anything by what a person holds in hand. Opened with Ctrl K or ⌘K. */
export function SearchDialog({ open, onOpenChange }: SearchProps) {
  return (
    <DialogWindow title="Search" open={open} onOpenChange={onOpenChange}>
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
  const onKeyDown = (event: KeyboardEvent) => {
    const links = [...(list.current?.querySelectorAll('a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    if (event.key === 'ArrowDown') links[Math.min(links.length - 1, at + 1)]?.focus()
    else if (event.key === 'ArrowUp') links[Math.max(0, at - 1)]?.focus()
    else if (event.key === 'Enter' && at === -1 && isAnswered && found.data[0] !== undefined) {
      goTo(found.data[0].href)
      onFound()
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
      />
      <div role="status" className="count">
        {typed.trim() === '' ? '' : isAnswered ? countOf(found.data) : 'Searching…'}
      </div>
      {found.error !== null && <Said error={found.error} />}
      <ul className="found" ref={list}>
        {isAnswered &&
          found.data.map((one) => (
            <li key={one.id}>
              <Link href={one.href} onClick={onFound}>
                {one.title}
              </Link>{' '}
              {one.state !== null && <Badge value={one.state} />}
              <br />
              <span className="reason">
                {one.kind} · {one.id}
              </span>
            </li>
          ))}
      </ul>
    </div>
  )
}

function countOf(found: readonly Found[]): string {
  if (found.length === 0) return 'Nothing of this name is within this key’s reach.'
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
