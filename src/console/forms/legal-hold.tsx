import { Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActButton } from '../parts/act-button.tsx'
import { Time } from '../parts/times.tsx'
import { errorAt } from './field-errors.ts'
import { FormDialog } from './form-dialog.tsx'
import { useSendOnce } from './use-send-once.ts'

type Hold = { readonly since: string } | null

type HoldCall<T> = (
  input: { readonly id: string; readonly note: string },
  options: { readonly idempotencyKey: string },
) => Promise<T>

type HoldProps<T> = {
  readonly of: { readonly id: string; readonly legal_hold: Hold }
  readonly api: { readonly placeHold: HoldCall<T>; readonly liftHold: HoldCall<T> }
  /** The first part of the key under which the screen keeps it. */
  readonly queryKey: string
  /** What the hold keeps, as a sentence. */
  readonly keeps: string
  /** What happens when it is lifted, as a sentence. */
  readonly afterwards: string
}

/** The API's own limit. */
const noteMax = 2_000
const fields = ['/note'] as const

/** Puts a legal hold on a shipment or workspace, or lifts it. */
export function LegalHold<T>(props: HoldProps<T>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActButton
        word={props.of.legal_hold === null ? 'Legal hold…' : 'Lift the legal hold…'}
        scope="operations:review"
        onAct={() => setOpen(true)}
      />
      {isOpen && <HoldDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function HoldDialog<T>(props: HoldProps<T> & { readonly onClose: () => void }) {
  const { of, api, queryKey, keeps, afterwards, onClose } = props
  const queries = useQueryClient()
  const { id } = of
  const [isHeld] = useState(of.legal_hold !== null)
  const [note, setNote] = useState('')
  const sending = useSendOnce({
    send: (idempotencyKey) =>
      (isHeld ? api.liftHold : api.placeHold)({ id, note }, { idempotencyKey }),
    onSent: (changed) => {
      queries.setQueryData([queryKey, id], changed)
      onClose()
    },
  })
  return (
    <FormDialog
      title={isHeld ? 'Lift the legal hold?' : 'Put a legal hold on it?'}
      does={isHeld ? 'Lift it' : 'Hold it'}
      sending={sending}
      fields={fields}
      onClose={onClose}
    >
      <p>{isHeld ? afterwards : keeps}</p>
      <Textarea
        label="Why"
        description="Kept encrypted. That you did it is in the audit."
        required
        withAsterisk={false}
        rows={3}
        maxLength={noteMax}
        value={note}
        error={errorAt(sending.error, '/note')}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

/** Since when a hold has been there, for a list of facts. */
export function HeldSince({ hold }: { readonly hold: Hold }) {
  if (hold === null) return 'none'
  return (
    <span>
      since <Time at={hold.since} />
    </span>
  )
}
