import { Progress } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Client } from '../../client/create-client.ts'
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
  /** A word for what was done; null: it was refused. */
  readonly value: string | null
  readonly refusal: string | null
}

/** The operation after the act, and a word for the result. */
type Done = { readonly now: Operation; readonly word: string }

type ActProps = {
  readonly operations: readonly Operation[]
  /** The act, as a question. */
  readonly title: string
  /** The label of the button that confirms. */
  readonly does: string
  /** `looked at`, for `2 operations of 3 looked at`. */
  readonly done: string
  /** Does it for one operation. */
  readonly act: (operation: Operation) => Promise<Done>
  readonly onClose: () => void
  /** What the act does, and its fields. */
  readonly children: ReactNode
}

/** Does one act to each of several operations, one after the other, with a result for each. */
export function ActOnChosen(props: ActProps) {
  const { operations, title, does, done, onClose } = props
  const { client } = useSession()
  const queries = useQueryClient()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  // Leaving the dialog, also by signing out, stops before the next operation.
  const stop = useRef<AbortController>(null)
  const lastChanged = useRef<Operation>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const acting = useMutation({
    mutationFn: async () => {
      const stopped = new AbortController()
      stop.current = stopped
      const results: Outcome[] = []
      for (const operation of operations) {
        if (stopped.signal.aborted) return
        const outcome = await outcomeOf(operation, props.act)
        if (outcome.refusal === null) lastChanged.current = outcome.operation
        results.push(outcome)
        setOutcomes([...results])
      }
    },
    // It is said to be done once the lists and counts on the screen show it.
    onSettled: async () => {
      await untilListed(client, lastChanged.current)
      await Promise.all(
        [['operations'], ['statistics', 'operations']].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      )
    },
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
    const { now, word } = await act(operation)
    return { operation: now, value: word, refusal: null }
  } catch (error) {
    if (!(error instanceof ShippingLedgerError)) throw error
    return { operation, value: null, refusal: sentenceOf(error) }
  }
}

/** Lists follow the events in their order and lag by moments: usually one read, or two. */
const listedEveryMs = 250
/** Five seconds. If the lists are further behind, they say so themselves. */
const listedTriesMax = 20

/** Waits until the lists have reached this operation, which changed last, but not forever. */
async function untilListed(client: Client, changed: Operation | null): Promise<void> {
  if (changed === null) return
  const { id, shipment_id, version } = changed
  for (let tries = 0; tries < listedTriesMax; tries++) {
    const { data } = await client.operations.list({ shipment_id })
    if (data.some((listed) => listed.id === id && listed.version >= version)) return
    await new Promise((resolve) => setTimeout(resolve, listedEveryMs))
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
