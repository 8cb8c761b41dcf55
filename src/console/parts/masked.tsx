import { i18n } from '@lingui/core'
import { Box, Button } from '@mantine/core'
import IconEye from '@tabler/icons-react/icons/IconEye'
import IconEyeOff from '@tabler/icons-react/icons/IconEyeOff'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'

type Reveal = { readonly isRevealed: boolean; reveal(isRevealed: boolean): void }

const RevealContext = createContext<Reveal | null>(null)

/** Keeps personal data masked until a click reveals it. Leaving the screen masks it again. */
export function MaskedUntilRevealed({ children }: { readonly children: ReactNode }) {
  const [isRevealed, setRevealed] = useState(false)
  const value = useMemo(() => ({ isRevealed, reveal: setRevealed }), [isRevealed])
  return <RevealContext value={value}>{children}</RevealContext>
}

function useReveal(): Reveal {
  const value = useContext(RevealContext)
  if (value === null) throw new Error('bug: the masked data have no owner')
  return value
}

/** A value that is masked with a text of fixed length. A missing value is shown as a dash. */
export function Masked({ value }: { readonly value: string | null }) {
  const { isRevealed } = useReveal()
  if (value === null) return <>–</>
  if (isRevealed) return <bdi>{value}</bdi>
  return (
    <Box component="span" px="xs" bdrs="sm" bg="var(--raised)" c="dimmed">
      {i18n.t('masked')}
    </Box>
  )
}

export function RevealButton({ word }: { readonly word?: string }) {
  const { isRevealed, reveal } = useReveal()
  return (
    <Button
      variant="default"
      leftSection={isRevealed ? <IconEyeOff size={14} /> : <IconEye size={14} />}
      aria-pressed={isRevealed}
      onClick={() => reveal(!isRevealed)}
    >
      {isRevealed ? i18n.t('Hide again') : (word ?? i18n.t('Show personal data'))}
    </Button>
  )
}
