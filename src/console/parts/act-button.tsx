import { VisuallyHidden } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { missing, type Scope, useMay } from './scopes.tsx'
import { SteadyButton } from './steady-button.tsx'

type ActProps = {
  readonly word: string
  /** The required scope. Without it the button is disabled and shows the reason. */
  readonly scope: Scope
  readonly isPending?: boolean
  readonly isPrimary?: boolean
  /** It destroys something. */
  readonly isDanger?: boolean
  readonly icon?: ReactNode
  readonly shortcut?: string
  /** Why the action is impossible now, for any key. */
  readonly refused?: string | null
  /** The button next to it shows the same reason, so this one is only for screen readers. */
  readonly isReasonHidden?: boolean
  readonly onAct: () => void
}

/** A button that calls the API, or shows why it cannot. */
export function ActButton(props: ActProps) {
  const { word, scope, isPending = false, isPrimary = false, icon, refused = null, onAct } = props
  const id = useId()
  const why = useMay(scope) ? refused : missing(scope)
  const Why = props.isReasonHidden === true ? VisuallyHidden : 'span'
  return (
    <>
      <SteadyButton
        isOff={isPending || why !== null}
        isPrimary={isPrimary}
        isDanger={props.isDanger === true}
        icon={icon}
        shortcut={props.shortcut}
        aria-describedby={why === null ? undefined : id}
        onPress={onAct}
      >
        {word}
      </SteadyButton>
      {why !== null && (
        <Why id={id} className="reason">
          {why}
        </Why>
      )}
    </>
  )
}
