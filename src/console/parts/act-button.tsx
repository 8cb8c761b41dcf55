import { useId } from 'react'
import { missing, type Scope, useMay } from './scopes.tsx'
import { SteadyButton } from './steady-button.tsx'

type ActProps = {
  readonly word: string
  /** What the key needs for it; without it the button is there, disabled, and says so. */
  readonly scope: Scope
  readonly isPending?: boolean
  /** Why it cannot be done now, whoever asks. */
  readonly refused?: string | null
  readonly onAct: () => void
}

/** A button that does something through the API, or says why it does not. */
export function ActButton({ word, scope, isPending = false, refused = null, onAct }: ActProps) {
  const id = useId()
  const why = useMay(scope) ? refused : missing(scope)
  return (
    <>
      <SteadyButton
        isOff={isPending || why !== null}
        aria-describedby={why === null ? undefined : id}
        onPress={onAct}
      >
        {word}
      </SteadyButton>
      {why !== null && (
        <span id={id} className="reason">
          {why}
        </span>
      )}
    </>
  )
}
