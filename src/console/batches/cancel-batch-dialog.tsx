import { useQueryClient } from '@tanstack/react-query'
import type { Schemas } from '../../client/methods.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { Refused } from '../parts/states.tsx'
import { useSession } from '../session.tsx'

type DialogProps = { readonly batch: Schemas['Batch']; readonly onClose: () => void }

/** Leaves out the lines whose turn has not come. */
export function CancelBatchDialog({ batch, onClose }: DialogProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const { id } = batch
  const sending = useSendOnce({
    send: () => client.batches.cancel({ id }),
    onSent: async (changed) => {
      queries.setQueryData(['batch', id], changed)
      await queries.invalidateQueries({ queryKey: ['batch-items', id] })
      onClose()
    },
  })
  const waiting = batch.counts.waiting ?? 0
  return (
    <ConfirmDialog
      title="Cancel what has not begun?"
      does="Cancel it"
      isDangerous
      isPending={sending.isPending}
      onConfirm={sending.submit}
      onLeave={onClose}
    >
      <p>
        {waiting === 1 ? 'One line waits for its turn' : `${waiting} lines wait for their turn`} now
        and would be left out. Lines that have begun are finished, because their guides may exist
        already. No guide is cancelled: do that on the page of its shipment.
      </p>
      <p>What is left out can be sent later, in a file with the same reference.</p>
      <Refused error={sending.error} />
    </ConfirmDialog>
  )
}
