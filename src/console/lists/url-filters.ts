import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/**
 * Keeps a screen's filters only in its address: a shared link shows the same rows, and Back undoes
 * a filter.
 */
export function useUrlFilters<Name extends string>(names: readonly Name[]) {
  const [params, setParams] = useSearchParams()
  const filters: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const value = params.get(name)
    if (value !== null && value !== '') filters[name] = value
  }
  const setFilters = useCallback(
    (values: Partial<Record<Name, string>>) => {
      setParams((before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries<string | undefined>(values)) {
          if (value === undefined || value === '') after.delete(name)
          else after.set(name, value)
        }
        return after
      })
    },
    [setParams],
  )
  const setFilter = useCallback(
    (name: Name, value: string) => setFilters({ [name]: value } as Partial<Record<Name, string>>),
    [setFilters],
  )
  const clear = useCallback(() => {
    setParams((before) => {
      const after = new URLSearchParams(before)
      for (const name of names) after.delete(name)
      return after
    })
  }, [setParams, names])
  const field = (name: Name) => ({
    value: filters[name] ?? '',
    onChange: (value: string) => setFilter(name, value),
  })
  return { filters, field, setFilter, setFilters, clear }
}
