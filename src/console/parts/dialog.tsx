import { i18n } from '@lingui/core'
import { Button, Group, Modal } from '@mantine/core'
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { SteadyButton } from './steady-button.tsx'

type WindowProps = {
  readonly title: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** The text should be read first, so the title gets the focus instead of the first control. */
  readonly isQuestion?: boolean
  /** Only a button in the content closes the dialog. */
  readonly isHeld?: boolean
  readonly size?: 'md' | 'lg' | 'xl'
  readonly children: ReactNode
}

/** A modal dialog. It traps the focus, returns it at the end, and closes on Escape. */
export function DialogWindow(props: WindowProps) {
  const { title, open, onOpenChange, isQuestion = false, isHeld = false, size = 'lg' } = props
  const [popup, setPopup] = useState<HTMLElement | null>(null)
  useKeptFocus(popup)
  useFirstField(popup, isQuestion)
  useReturnedFocus()
  return (
    <Modal.Root
      opened={open}
      onClose={() => isHeld || onOpenChange(false)}
      closeOnClickOutside={false}
      returnFocus={false}
      size={size}
    >
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content className="dialog" ref={setPopup}>
        <Modal.Header>
          <Modal.Title fz="lg" fw={600}>
            <span tabIndex={-1} data-autofocus={isQuestion || undefined}>
              {title}
            </span>
          </Modal.Title>
          {!isHeld && <Modal.CloseButton aria-label={i18n.t('Dismiss')} />}
        </Modal.Header>
        <Modal.Body>{props.children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/**
 * When a step removes or disables the focused control, the focus would move to the page behind.
 * This moves it to the dialog, and a screen reader reads its title.
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

/** Focuses the first field of a form instead of the dismiss button. */
function useFirstField(popup: HTMLElement | null, isQuestion: boolean): void {
  useLayoutEffect(() => {
    if (isQuestion) return
    const field = '.mantine-Modal-body :is(input, select, textarea):not(:disabled)'
    popup?.querySelector(field)?.setAttribute('data-autofocus', 'true')
  }, [popup, isQuestion])
}

/**
 * Returns the focus to the opener, or to the screen if the opener is gone, as the command palette
 * is. A dialog is mounted when it opens and unmounted when it closes.
 */
function useReturnedFocus(): void {
  useLayoutEffect(() => {
    const opener = document.activeElement
    return () => {
      const isThere =
        opener instanceof HTMLElement && opener !== document.body && opener.isConnected
      const target = isThere ? opener : document.querySelector<HTMLElement>('#screen')
      target?.focus({ preventScroll: true })
    }
  }, [])
}

type ConfirmProps = {
  /** The action as a question. */
  readonly title: string
  /** The label of the button that confirms. */
  readonly does: string
  /** The action destroys something or cannot be undone. */
  readonly isDangerous?: boolean
  /** A required input is missing, so the action cannot be confirmed yet. */
  readonly isIncomplete?: boolean
  readonly isPending: boolean
  readonly onConfirm: () => void
  /** Leaves without acting. `leaves` is the label. */
  readonly onLeave: () => void
  readonly leaves?: string
  /** Stops an action with several steps. Without it, the dialog waits for the action to end. */
  readonly onStop?: () => void
  readonly children: ReactNode
}

/** Asks for confirmation. The content shows errors. */
export function ConfirmDialog(props: ConfirmProps) {
  const { title, does, isPending, onConfirm, onLeave, onStop, children } = props
  const leave = isPending ? onStop : onLeave
  return (
    <DialogWindow title={title} open isQuestion onOpenChange={(open) => open || leave?.()}>
      {children}
      <DialogActions>
        <SteadyButton
          isPrimary
          isOff={isPending || props.isIncomplete === true}
          color={props.isDangerous === true ? 'red.8' : undefined}
          onPress={onConfirm}
        >
          {isPending ? i18n.t('Working…') : does}
        </SteadyButton>
        <SteadyButton isOff={leave === undefined} onPress={() => leave?.()}>
          {isPending && onStop !== undefined ? i18n.t('Stop') : (props.leaves ?? i18n.t('Cancel'))}
        </SteadyButton>
      </DialogActions>
    </DialogWindow>
  )
}

/** The buttons at the end of a dialog, with the primary action first. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return (
    <Group gap="xs" mt="md">
      {children}
    </Group>
  )
}

type CloseProps = {
  readonly word?: string
  readonly onClose: () => void
  readonly isPrimary?: boolean
}

/** Closes a dialog that only informs. */
export function CloseButton({ word, onClose, isPrimary = true }: CloseProps) {
  return (
    <Button variant={isPrimary ? 'filled' : 'default'} onClick={onClose}>
      {word ?? i18n.t('Close')}
    </Button>
  )
}
