import { useState } from 'react'
import { useSession } from '../session.tsx'

/**
 * State that survives leaving the screen or dialog: input is kept until it is sent or the session
 * ends.
 */
export function useDraft<T>(name: string, initial: T) {
  const { drafts } = useSession()
  const [draft, setDraft] = useState((drafts.get(name) as T | undefined) ?? initial)
  const change = (now: T) => {
    drafts.set(name, now)
    setDraft(now)
  }
  const forget = () => {
    drafts.delete(name)
    setDraft(initial)
  }
  return [draft, change, forget] as const
}
