import { i18n } from '@lingui/core'
import { ActionIcon, Box, Tooltip } from '@mantine/core'
import IconCheck from '@tabler/icons-react/icons/IconCheck'
import IconCopy from '@tabler/icons-react/icons/IconCopy'
import { type ReactNode, useMemo, useRef } from 'react'
import { useCopy } from './copyable.tsx'

/** The names, strings, numbers and keywords of indented JSON. */
const tokens =
  /("(?:\\.|[^"\\])*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g

const colors = {
  name: 'light-dark(#3a3891, #a5b4fc)',
  text: 'var(--good)',
  number: 'var(--warn)',
  word: 'var(--bad)',
} as const

/** A value as JSON: highlighted, scrollable and copyable. */
export function JsonView({ value, name }: { readonly value: unknown; readonly name: string }) {
  const text = useMemo(() => JSON.stringify(value, null, 2), [value])
  const shown = useRef<HTMLPreElement>(null)
  const { done, copy } = useCopy(text, () => {
    if (shown.current !== null) getSelection()?.selectAllChildren(shown.current)
  })
  return (
    <Box className="json-view" pos="relative">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
      <pre className="json" ref={shown} tabIndex={0}>
        {highlighted(text)}
      </pre>
      <Tooltip label={done === 'copied' ? i18n.t('Copied') : i18n.t('Copy JSON')}>
        <ActionIcon
          pos="absolute"
          top="0.4rem"
          right="0.4rem"
          variant="default"
          size="sm"
          aria-label={i18n.t('Copy {name} as JSON', { name })}
          onClick={copy}
        >
          {done === 'copied' ? <IconCheck size={14} /> : <IconCopy size={14} />}
        </ActionIcon>
      </Tooltip>
    </Box>
  )
}

function highlighted(text: string): readonly ReactNode[] {
  const parts: ReactNode[] = []
  let from = 0
  for (const match of text.matchAll(tokens)) {
    const [whole, string, colon, number] = match
    parts.push(text.slice(from, match.index))
    const kind = string === undefined ? (number === undefined ? 'word' : 'number') : 'text'
    const shown = string ?? whole
    parts.push(
      <span key={match.index} style={{ color: colors[colon === undefined ? kind : 'name'] }}>
        {shown}
      </span>,
    )
    if (colon !== undefined) parts.push(colon)
    from = match.index + whole.length
  }
  return [...parts, text.slice(from)]
}
