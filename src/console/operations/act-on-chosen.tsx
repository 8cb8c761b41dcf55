import { Progress } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Operation } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { Badge } from '../parts/badge.tsx'
import { CloseButton, ConfirmDialog, DialogActions, DialogWindow } from '../parts/dialog.tsx'
import { sentenceOf } from '../parts/states.tsx'
import { counted } from './why.ts'

/** What came of one operation. */
type Outcome = {
  readonly operation: Operation
  /** A word for what was done; null: it was refused. */
  readonly value: string | null
  readonly refusal: string | null
}

type ActProps = {
  readonly operations: readonly Operation[]
  /** The act, as a question. */
  readonly title: string
  /** The label of the button that confirms. */
  readonly does: string
  /** `looked at`, for `2 operations of 3 looked at`. */
  readonly done: string
  /** Does it for one operation, and answers with a word for the result. */
  readonly act: (operation: Operation) => Promise<string>
  readonly onClose: () => void
  /** What the act does, and its fields. */
  readonly children: ReactNode
}

/** Does one act to each of several operations, one after the other, with a result for each. */
export function ActOnChosen(props: ActProps) {
  const { operations, title, does, done, onClose } = props
  const queries = useQueryClient()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  // Leaving the dialog, also by signing out, stops before the next operation.
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const acting = useMutation({
    mutationFn: async () => {
      const stopped = new AbortController()
      stop.current = stopped
      const results: Outcome[] = []
      for (const operation of operations) {
        if (stopped.signal.aborted) return
        results.push(await outcomeOf(operation, props.act))
        setOutcomes([...results])
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['operations'] }),
  })
  if (acting.isSuccess) {
    const succeeded = outcomes.filter(({ refusal }) => refusal === null).length
    return (
      <DialogWindow title="Results" open size="xl" onOpenChange={(open) => open || onClose()}>
        <p role="status">
          {counted(succeeded, 'operation')} of {operations.length} {done}.
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
      title={title}
      does={does}
      onLeave={onClose}
      onStop={() => stop.current?.abort()}
      isPending={acting.isPending}
      onConfirm={() => acting.mutate()}
    >
      {props.children}
      {acting.isPending && (
        <div role="status">
          <Progress value={(100 * outcomes.length) / operations.length} aria-label="Done" mb={4} />
          {outcomes.length} of {operations.length}
        </div>
      )}
    </ConfirmDialog>
  )
}

async function outcomeOf(operation: Operation, act: ActProps['act']): Promise<Outcome> {
  try {
    return { operation, value: await act(operation), refusal: null }
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
