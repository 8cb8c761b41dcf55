import { i18n } from '@lingui/core'
import { Button } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { DialogActions, DialogWindow } from '../parts/dialog.tsx'
import { Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { isShownAt } from './field-errors.ts'
import { useFirstError } from './use-first-error.ts'
import type { useSendOnce } from './use-send-once.ts'

type FormProps = {
  readonly title: string
  /** The label of the button that sends the form. */
  readonly does: string
  readonly sending: Pick<ReturnType<typeof useSendOnce>, 'isPending' | 'error' | 'submit'>
  /** The JSON pointers of the fields, which show the API's errors about them. */
  readonly fields: readonly string[]
  /** The action destroys something or cannot be undone. */
  readonly isDangerous?: boolean
  /** The label of the button that leaves without sending. */
  readonly leaves?: string
  /** Shown instead of the service's own words about its refusal. */
  readonly refusal?: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A form in a dialog. The first field with an error gets the focus; other errors are shown below.
 */
export function FormDialog(props: FormProps) {
  const { title, does, sending, fields, leaves = i18n.t('Cancel'), onClose, children } = props
  const { isPending, error } = sending
  const form = useFirstError(error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sending.submit()
  }
  return (
    <DialogWindow title={title} open onOpenChange={(open) => open || isPending || onClose()}>
      <form ref={form} onSubmit={submit} autoComplete="off">
        {children}
        {!isShownAt(error, fields) && (props.refusal ?? <Refused error={error} />)}
        <DialogActions>
          <SteadyButton
            type="submit"
            isPrimary
            isOff={isPending}
            color={props.isDangerous === true ? 'red.8' : undefined}
          >
            {isPending ? i18n.t('Working…') : does}
          </SteadyButton>
          <Button variant="default" onClick={onClose}>
            {leaves}
          </Button>
        </DialogActions>
      </form>
    </DialogWindow>
  )
}
