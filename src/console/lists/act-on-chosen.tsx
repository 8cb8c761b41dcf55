import { i18n } from '@lingui/core'
import { Progress } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { Badge } from '../parts/badge.tsx'
import { CloseButton, ConfirmDialog, DialogActions, DialogWindow } from '../parts/dialog.tsx'
import { sentenceOf } from '../parts/states.tsx'

/** The result for one row. */
type Outcome<T> = {
  readonly row: T
  /** The result as a badge; null if it was refused. */
  readonly value: string | null
  readonly refusal: string | null
}

/** The row after the action, and the result as a badge. */
type Done<T> = { readonly now: T; readonly word: string }

type ActProps<T> = {
  readonly chosen: readonly T[]
  /** What a row is, as the head of its column: `Operation`. */
  readonly rowName: string
  /** The display name of a row. */
  readonly nameOf: (row: T) => string
  /** The action as a question. */
  readonly title: string
  /** The label of the button that confirms. */
  readonly does: string
  /** The result for all rows: `2 operations of 3 assigned.` */
  readonly done: (succeeded: number, total: number) => string
  /** Whether a required input is still missing. */
  readonly isIncomplete?: boolean
  /** Performs the action on one row. */
  readonly act: (row: T) => Promise<Done<T>>
  /** The result is shown once this resolves. Null if no row has changed. */
  readonly onDone: (lastChanged: T | null) => Promise<unknown>
  readonly onClose: () => void
  /** The explanation and the fields. */
  readonly children: ReactNode
}

/** Performs one action on several rows, one after the other, with a result for each. */
export function ActOnChosen<T extends { readonly id: string }>(props: ActProps<T>) {
  const { chosen, rowName, title, does, done, onClose } = props
  const [outcomes, setOutcomes] = useState<readonly Outcome<T>[]>([])
  // Leaving the dialog or signing out stops before the next row.
  const stop = useRef<AbortController>(null)
  const lastChanged = useRef<T>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const acting = useMutation({
    mutationFn: async () => {
      const stopped = new AbortController()
      stop.current = stopped
      const results: Outcome<T>[] = []
      for (const row of chosen) {
        if (stopped.signal.aborted) return
        const outcome = await outcomeOf(row, props.act)
        if (outcome.refusal === null) lastChanged.current = outcome.row
        results.push(outcome)
        setOutcomes([...results])
      }
    },
    onSettled: () => props.onDone(lastChanged.current),
  })
  if (acting.isSuccess) {
    const succeeded = outcomes.filter(({ refusal }) => refusal === null).length
    return (
      <DialogWindow
        title={i18n.t('Results')}
        open
        size="xl"
        onOpenChange={(open) => open || onClose()}
      >
        <p role="status">{done(succeeded, chosen.length)}</p>
        <OutcomeTable rowName={rowName} nameOf={props.nameOf} outcomes={outcomes} />
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
      isIncomplete={props.isIncomplete === true}
      isPending={acting.isPending}
      onConfirm={() => acting.mutate()}
    >
      {props.children}
      {acting.isPending && (
        <div role="status">
          <Progress
            value={(100 * outcomes.length) / chosen.length}
            aria-label={i18n.t('Done')}
            mb={4}
          />
          {i18n.t('{done} of {total}', { done: outcomes.length, total: chosen.length })}
        </div>
      )}
    </ConfirmDialog>
  )
}

async function outcomeOf<T>(row: T, act: ActProps<T>['act']): Promise<Outcome<T>> {
  try {
    const { now, word } = await act(row)
    return { row: now, value: word, refusal: null }
  } catch (error) {
    if (!(error instanceof ShippingLedgerError)) throw error
    return { row, value: null, refusal: sentenceOf(error) }
  }
}

type TableProps<T> = Pick<ActProps<T>, 'rowName' | 'nameOf'> & {
  readonly outcomes: readonly Outcome<T>[]
}

function OutcomeTable<T extends { readonly id: string }>(props: TableProps<T>) {
  const { rowName, nameOf, outcomes } = props
  return (
    <table className="evidence">
      <thead>
        <tr>
          <th scope="col">{rowName}</th>
          <th scope="col">{i18n.t('Result')}</th>
        </tr>
      </thead>
      <tbody>
        {outcomes.map(({ row, value, refusal }) => (
          <tr key={row.id}>
            <td>{nameOf(row)}</td>
            <td>{value === null ? refusal : <Badge value={value} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
