import { i18n } from '@lingui/core'
import { Button } from '@mantine/core'
import IconCheck from '@tabler/icons-react/icons/IconCheck'
import IconCopy from '@tabler/icons-react/icons/IconCopy'
import { type ReactNode, useRef } from 'react'
import { useCopy } from '../parts/copyable.tsx'
import { CloseButton, DialogActions, DialogWindow } from '../parts/dialog.tsx'

type SecretProps = {
  readonly title: string
  /** Null if an earlier response contained it and was lost. */
  readonly secret: string | null
  /** What to do without a copy; the end of a sentence. */
  readonly otherwise: string
  readonly children?: ReactNode
  readonly onClose: () => void
}

/**
 * Shows a new secret. Only its button closes the dialog, because the secret is never shown again.
 */
export function SecretWindow({ title, secret, otherwise, children, onClose }: SecretProps) {
  return (
    <DialogWindow title={title} open isHeld isQuestion onOpenChange={onClose}>
      {secret === null ? (
        <p>{i18n.t('The response with the secret was lost: {otherwise}', { otherwise })}</p>
      ) : (
        <>
          <p>{i18n.t('It is shown only once. If you lose it, {otherwise}', { otherwise })}</p>
          <Secret text={secret} />
        </>
      )}
      {children}
      <DialogActions>
        <CloseButton
          word={secret === null ? i18n.t('Close') : i18n.t('I have saved it')}
          onClose={onClose}
        />
      </DialogActions>
    </DialogWindow>
  )
}

function Secret({ text }: { readonly text: string }) {
  const shown = useRef<HTMLElement>(null)
  const { done, copy } = useCopy(text, () => {
    if (shown.current !== null) getSelection()?.selectAllChildren(shown.current)
  })
  return (
    <div className="secret">
      <code ref={shown}>{text}</code>
      <Button
        variant="default"
        leftSection={done === 'copied' ? <IconCheck size={14} /> : <IconCopy size={14} />}
        onClick={copy}
      >
        {done === 'copied' ? i18n.t('Copied') : i18n.t('Copy')}
      </Button>
      {done === 'selected' && (
        <span className="reason" role="status">
          {i18n.t('Copying is blocked. Press Ctrl C or ⌘C to copy the selected text.')}
        </span>
      )}
    </div>
  )
}
