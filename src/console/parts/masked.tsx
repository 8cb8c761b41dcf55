import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'

type Reveal = { readonly isRevealed: boolean; reveal(isRevealed: boolean): void }

const RevealContext = createContext<Reveal | null>(null)

/**
 * Personal data of one thing stay masked until they are asked for by a click. Nothing remembers the
 * click: leaving the screen masks them again.
 */
export function MaskedUntilAsked({ children }: { readonly children: ReactNode }) {
  const [isRevealed, setRevealed] = useState(false)
  const value = useMemo(() => ({ isRevealed, reveal: setRevealed }), [isRevealed])
  return <RevealContext value={value}>{children}</RevealContext>
}

export function useReveal(): Reveal {
  const value = useContext(RevealContext)
  if (value === null) throw new Error('bug: nothing says whose data these are')
  return value
}

/** Masked, whatever its length; what is erased or was never there says so. */
export function Masked({ value }: { readonly value: string | null }) {
  const { isRevealed } = useReveal()
  if (value === null) return <>–</>
  return isRevealed ? <bdi>{value}</bdi> : <span className="masked">masked</span>
}

export function RevealButton({ word = 'Show personal data' }: { readonly word?: string }) {
  const { isRevealed, reveal } = useReveal()
  return (
    <button type="button" aria-pressed={isRevealed} onClick={() => reveal(!isRevealed)}>
      {isRevealed ? 'Mask it again' : word}
    </button>
  )
}
