import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { Refused } from '../parts/states.tsx'
import { useSendOnce } from './use-send-once.ts'

type RemoveProps = {
  /** The action as a question. */
  readonly title: string
  readonly does: string
  readonly remove: () => Promise<unknown>
  /** The list it is in: the query key, and the path to go to afterwards. */
  readonly list: { readonly key: string; readonly path: string }
  readonly onClose: () => void
  /** What is lost, and the alternatives. */
  readonly children: ReactNode
}

/** Permanently removes what the screen shows, then goes to its list. */
export function RemoveDialog({ title, does, remove, list, onClose, children }: RemoveProps) {
  const queries = useQueryClient()
  const [, goTo] = useLocation()
  const sending = useSendOnce({
    send: remove,
    onSent: async () => {
      await queries.invalidateQueries({ queryKey: [list.key] })
      goTo(list.path)
    },
  })
  return (
    <ConfirmDialog
      title={title}
      does={does}
      isDangerous
      isPending={sending.isPending}
      onConfirm={sending.submit}
      onLeave={onClose}
    >
      {children}
      <Refused error={sending.error} />
    </ConfirmDialog>
  )
}
