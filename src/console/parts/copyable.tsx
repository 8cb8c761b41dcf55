import { useEffect, useRef, useState } from 'react'

/** How long the "copied" message stays. */
const copiedForMs = 1_500

/**
 * An id or another word. A click copies it, or selects it if the browser does not allow copying.
 */
export function Copyable({ text }: { readonly text: string }) {
  const [done, setDone] = useState<'copied' | 'selected' | null>(null)
  const shown = useRef<HTMLElement>(null)
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
      // Without https there is no clipboard, or its use is forbidden.
      if (shown.current !== null) getSelection()?.selectAllChildren(shown.current)
      setDone('selected')
    }
  }
  return (
    <span className="copyable">
      <code ref={shown} dir="auto">
        {text}
      </code>
      <button type="button" className="small" aria-label={`Copy ${text}`} onClick={copy}>
        {done === 'copied' ? 'Copied' : 'Copy'}
      </button>
      {done === 'selected' && (
        <span className="reason" role="status">
          Not copied: it is selected, press Ctrl C or ⌘C.
        </span>
      )}
    </span>
  )
}
