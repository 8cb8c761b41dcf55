import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useEffect, useState } from 'react'
import { SteadyButton } from './steady-button.tsx'

type WindowProps = {
  readonly title: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** A click beside it closes it: only where nothing is lost by that. */
  readonly closesOutside?: boolean
  /** It is read before it is answered: the window has the focus at first, not its first control. */
  readonly isQuestion?: boolean
  readonly children: ReactNode
}

/** A window over the screen: it takes the focus, keeps it, gives it back, and Escape closes it. */
export function DialogWindow(props: WindowProps) {
  const { title, open, onOpenChange, closesOutside = false, isQuestion = false, children } = props
  const [popup, setPopup] = useState<HTMLElement | null>(null)
  useKeptFocus(popup)
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange} disablePointerDismissal={!closesOutside}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup
          className="dialog"
          ref={setPopup}
          initialFocus={isQuestion ? () => popup : true}
        >
          <Dialog.Title>{title}</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/**
 * A next step takes the control away that had the focus, or disables it, and the focus falls to the
 * page behind. It goes to the window instead, which is read aloud by its title.
 */
function useKeptFocus(popup: HTMLElement | null): void {
  useEffect(() => {
    if (popup === null) return
    const observer = new MutationObserver(() => {
      const { activeElement, body } = document
      if (activeElement === body || activeElement?.matches('.dialog :disabled')) popup.focus()
    })
    observer.observe(popup, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    return () => observer.disconnect()
  }, [popup])
}

type ConfirmProps = {
  /** What is about to happen, as a question. */
  readonly title: string
  /** The word of the button that does it. */
  readonly does: string
  readonly isPending: boolean
  readonly onConfirm: () => void
  /** Leaves it undone; the word says where that leads. */
  readonly onLeave: () => void
  readonly leaves?: 'Cancel' | 'Back'
  /** Ends what is being done in several steps. What is done in one is waited for. */
  readonly onStop?: () => void
  readonly children: ReactNode
}

/** Asks before something is done that cannot be taken back. What goes wrong is shown by its content. */
export function ConfirmDialog(props: ConfirmProps) {
  const { title, does, isPending, onConfirm, onLeave, leaves = 'Cancel', onStop, children } = props
  const leave = isPending ? onStop : onLeave
  return (
    <DialogWindow title={title} open isQuestion onOpenChange={(open) => open || leave?.()}>
      {children}
      <div className="actions">
        <SteadyButton className="primary" isOff={isPending} onPress={onConfirm}>
          {isPending ? 'Working…' : does}
        </SteadyButton>
        <SteadyButton isOff={leave === undefined} onPress={() => leave?.()}>
          {isPending && onStop !== undefined ? 'Stop' : leaves}
        </SteadyButton>
      </div>
    </DialogWindow>
  )
}
