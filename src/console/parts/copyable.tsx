import { ActionIcon, Tooltip } from '@mantine/core'
import IconCheck from '@tabler/icons-react/icons/IconCheck'
import IconCopy from '@tabler/icons-react/icons/IconCopy'
import { useEffect, useRef, useState } from 'react'

/** How long the "copied" message stays. */
const copiedForMs = 1_500

type CopyableProps = {
  readonly text: string
  /** Shown in place of the whole text, such as the beginning of a long message. */
  readonly shown?: string
}

/**
 * An id or another word. A click copies it, or selects it if the browser does not allow copying.
 */
export function Copyable({ text, shown: shownText = text }: CopyableProps) {
  const shown = useRef<HTMLElement>(null)
  const { done, copy } = useCopy(text, () => {
    if (shown.current !== null) getSelection()?.selectAllChildren(shown.current)
  })
  return (
    <span className="copyable">
      <code ref={shown} dir="auto">
        {shownText}
      </code>
      <Tooltip label={done === 'copied' ? 'Copied' : 'Copy'}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`Copy ${text}`}
          onClick={copy}
        >
          {done === 'copied' ? <IconCheck size={14} /> : <IconCopy size={14} />}
        </ActionIcon>
      </Tooltip>
      {done === 'selected' && (
        <span className="reason" role="status">
          Not copied: it is selected, press Ctrl C or ⌘C.
        </span>
      )}
    </span>
  )
}

/** Copies a text. Without https there is no clipboard, or its use is forbidden: then `otherwise`. */
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
