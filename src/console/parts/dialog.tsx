import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'

type WindowProps = {
  readonly title: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** A click beside it closes it: only where nothing is lost by that. */
  readonly closesOutside?: boolean
  readonly children: ReactNode
}

/** A window over the screen: it takes the focus, keeps it, gives it back, and Escape closes it. */
export function DialogWindow(props: WindowProps) {
  const { title, open, onOpenChange, closesOutside = false, children } = props
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange} disablePointerDismissal={!closesOutside}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <Dialog.Title>{title}</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
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
    <DialogWindow title={title} open onOpenChange={(open) => open || leave?.()}>
      {children}
      <div className="actions">
        <button type="button" className="primary" disabled={isPending} onClick={onConfirm}>
          {isPending ? 'Working…' : does}
        </button>
        <button type="button" disabled={leave === undefined} onClick={leave}>
          {isPending && onStop !== undefined ? 'Stop' : leaves}
        </button>
      </div>
    </DialogWindow>
  )
}
