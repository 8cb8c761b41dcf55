import { Anchor } from '@mantine/core'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'

const FiltersContext = createContext<ReadonlyMap<string, string> | null>(null)

/** Remembers the last filters of each list for the session. */
export function LastFilters({ children }: { readonly children: ReactNode }) {
  const [location] = useLocation()
  const search = useSearch()
  const [last] = useState(() => new Map<string, string>())
  useEffect(() => {
    last.set(location, search)
  }, [last, location, search])
  return <FiltersContext value={last}>{children}</FiltersContext>
}

type ListLinkProps = { readonly to: string; readonly children: ReactNode }

/** A link back to a list with its last filters. */
export function ListLink({ to, children }: ListLinkProps) {
  const filters = useContext(FiltersContext)?.get(to) ?? ''
  return (
    <Anchor component={Link} href={filters === '' ? to : `${to}?${filters}`} c="dimmed" inherit>
      {children}
    </Anchor>
  )
}
