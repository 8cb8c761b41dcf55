import { type RefObject, useEffect, useRef } from 'react'

/** A form whose first field with an error gets the focus when a request was refused. */
export function useFirstError(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])
  return form
}
