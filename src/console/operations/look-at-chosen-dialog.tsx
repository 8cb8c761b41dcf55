import { Progress } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Operation } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { Badge } from '../parts/badge.tsx'
import { CloseButton, ConfirmDialog, DialogActions, DialogWindow } from '../parts/dialog.tsx'
import { sentenceOf } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { counted } from './why.ts'

/** What came of one operation. */
type Outcome = {
  readonly operation: Operation
  /** What the look showed, or the operation's state if it needed none. */
  readonly value: string | null
  readonly refusal: string | null
}

type LookProps = { readonly operations: readonly Operation[]; readonly onClose: () => void }

/** Asks the courier about each of several operations, one after the other, with a result for each. */
export function LookAtChosenDialog({ operations, onClose }: LookProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  // Leaving the dialog, also by signing out, stops the looks.
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const look = useMutation({
    mutationFn: async () => {
      const stopped = new AbortController()
      stop.current = stopped
      const done: Outcome[] = []
      for (const operation of operations) {
        if (stopped.signal.aborted) return
        done.push(await lookAt(client, operation))
        setOutcomes([...done])
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['operations'] }),
  })
  if (look.isSuccess) {
    return (
      <DialogWindow title="Looked" open size="xl" onOpenChange={(open) => open || onClose()}>
        <p role="status">
          {counted(outcomes.filter(({ refusal }) => refusal === null).length, 'operation')} of{' '}
          {operations.length} looked at.
        </p>
        <OutcomeTable outcomes={outcomes} />
        <DialogActions>
          <CloseButton onClose={onClose} />
        </DialogActions>
      </DialogWindow>
    )
  }
  return (
    <ConfirmDialog
      title={`Look at ${counted(operations.length, 'operation')} now?`}
      does="Look now"
      onLeave={onClose}
      onStop={() => stop.current?.abort()}
      isPending={look.isPending}
      onConfirm={() => look.mutate()}
    >
      <p>
        The courier is asked what exists under the reference of each. A look creates nothing. One
        operation can be looked at once in 10 seconds.
      </p>
      {look.isPending && (
        <div role="status">
          <Progress
            value={(100 * outcomes.length) / operations.length}
            aria-label="Looked at"
            mb={4}
          />
          {outcomes.length} of {operations.length}
        </div>
      )}
    </ConfirmDialog>
  )
}

async function lookAt(
  client: ReturnType<typeof useSession>['client'],
  operation: Operation,
): Promise<Outcome> {
  try {
    const now = await client.operations.lookAt({ id: operation.id })
    return { operation, value: now.looks.at(-1)?.answer ?? now.status, refusal: null }
  } catch (error) {
    if (!(error instanceof ShippingLedgerError)) throw error
    return { operation, value: null, refusal: sentenceOf(error) }
  }
}

function OutcomeTable({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  return (
    <table className="evidence">
      <thead>
        <tr>
          <th scope="col">Operation</th>
          <th scope="col">Result</th>
        </tr>
      </thead>
      <tbody>
        {outcomes.map(({ operation, value, refusal }) => (
          <tr key={operation.id}>
            <td>{operation.external_reference}</td>
            <td>{value === null ? refusal : <Badge value={value} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
