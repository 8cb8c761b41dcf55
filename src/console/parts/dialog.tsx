import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useEffect, useState } from 'react'
import { SteadyButton } from './steady-button.tsx'

type WindowProps = {
  readonly title: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** A click outside closes it. Use it only where that loses nothing. */
  readonly closesOutside?: boolean
  /**
   * The text is to be read before answering, so the window gets the focus and not its first
   * control.
   */
  readonly isQuestion?: boolean
  readonly children: ReactNode
}

/** A window over the screen: it takes the focus, keeps it, gives it back, and closes on Escape. */
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
 * When a next step removes or disables the focused control, the focus would fall to the page
 * behind. It goes to the window instead, and a screen reader reads its title.
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
  /** The act, as a question. */
  readonly title: string
  /** The label of the button that confirms. */
  readonly does: string
  readonly isPending: boolean
  readonly onConfirm: () => void
  /** Leaves without acting. The label says where that leads. */
  readonly onLeave: () => void
  readonly leaves?: 'Cancel' | 'Back'
  /** Stops an act that takes several steps. An act of one step is waited for. */
  readonly onStop?: () => void
  readonly children: ReactNode
}

/** Asks before an act that cannot be undone. Its content shows what goes wrong. */
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
