import { i18n } from '@lingui/core'
import { ActionIcon, Group, Tooltip } from '@mantine/core'
import IconCheck from '@tabler/icons-react/icons/IconCheck'
import IconCopy from '@tabler/icons-react/icons/IconCopy'
import { useEffect, useRef, useState } from 'react'

/** How long the "copied" message stays. */
const copiedForMs = 1_500

type CopyableProps = {
  readonly text: string
  /** Shown instead of the whole text, such as the beginning of a long message. */
  readonly shown?: string
}

/**
 * An id or another text. A click copies it, or selects it if the browser does not allow copying.
 */
export function Copyable({ text, shown: shownText = text }: CopyableProps) {
  const shown = useRef<HTMLElement>(null)
  const { done, copy } = useCopy(text, () => {
    if (shown.current !== null) getSelection()?.selectAllChildren(shown.current)
  })
  return (
    <Group component="span" className="copyable" display="inline-flex" gap="3xs" wrap="nowrap">
      <code ref={shown} dir="auto">
        {shownText}
      </code>
      <Tooltip label={done === 'copied' ? i18n.t('Copied') : i18n.t('Copy')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={i18n.t('Copy {text}', { text })}
          onClick={copy}
        >
          {done === 'copied' ? <IconCheck size={14} /> : <IconCopy size={14} />}
        </ActionIcon>
      </Tooltip>
      {done === 'selected' && (
        <span className="reason" role="status">
          {i18n.t('Copying is blocked. Press Ctrl C or ⌘C to copy the selected text.')}
        </span>
      )}
    </Group>
  )
}

/**
 * Copies a text. Calls `otherwise` if the clipboard is not available, for example without https.
 */
export function useCopy(text: string, otherwise: () => void) {
  const [done, setDone] = useState<'copied' | 'selected' | null>(null)
  useEffect(() => {
    if (done !== 'copied') return
    const timer = setTimeout(() => setDone(null), copiedForMs)
    return () => clearTimeout(timer)
  }, [done])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone('copied')
    } catch {
      otherwise()
      setDone('selected')
    }
  }
  return { done, copy }
}
