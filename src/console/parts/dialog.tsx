import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'

type AskProps = {
  readonly title: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly children: ReactNode
}

/** A window over the screen: it takes the focus, keeps it, gives it back, and Escape closes it. */
export function DialogWindow({ title, open, onOpenChange, children }: AskProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
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
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly isPending: boolean
  readonly onConfirm: () => void
  readonly children: ReactNode
}

/** Asks before something is done that cannot be taken back. What goes wrong is shown by its content. */
export function ConfirmDialog(props: ConfirmProps) {
  const { title, does, open, onOpenChange, isPending, onConfirm, children } = props
  return (
    <DialogWindow title={title} open={open} onOpenChange={onOpenChange}>
      {children}
      <div className="actions">
        <button type="button" className="primary" disabled={isPending} onClick={onConfirm}>
          {isPending ? 'Working…' : does}
        </button>
        <button type="button" onClick={() => onOpenChange(false)}>
          Cancel
        </button>
      </div>
    </DialogWindow>
  )
}
