import { useEffect, useState } from 'react'

/** How long it says that it was copied. */
const copiedForMs = 1_500

/** An id or another word that is copied by a click. */
export function Copyable({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), copiedForMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <span className="copyable">
      <code>{text}</code>
      <button type="button" className="small" aria-label={`Copy ${text}`} onClick={copy}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </span>
  )
}
