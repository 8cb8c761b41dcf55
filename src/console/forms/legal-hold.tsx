import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
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
  /** The first part of the screen's query key. */
  readonly queryKey: string
  /** A sentence about what the hold keeps. */
  readonly keeps: string
  /** A sentence about what happens when it is lifted. */
  readonly afterwards: string
}

/** The API's own limit. */
const noteMax = 2_000
const fields = ['/note'] as const

/** Places or lifts a legal hold on a shipment or workspace. */
export function LegalHold<T>(props: HoldProps<T>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActButton
        word={props.of.legal_hold === null ? i18n.t('Legal hold…') : i18n.t('Lift the legal hold…')}
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
      title={isHeld ? i18n.t('Lift the legal hold?') : i18n.t('Place a legal hold?')}
      does={isHeld ? i18n.t('Lift the hold') : i18n.t('Place the hold')}
      sending={sending}
      fields={fields}
      onClose={onClose}
    >
      <p>{isHeld ? afterwards : keeps}</p>
      <Textarea
        label={i18n.t('Reason')}
        description={i18n.t('Stored encrypted. The audit records that you did this.')}
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

/** The start of a hold, for a list of facts. */
export function HeldSince({ hold }: { readonly hold: Hold }) {
  if (hold === null) return i18n.t({ id: 'none (legal hold)', message: 'none' })
  return (
    <span>
      <Trans id="since {time}" values={{ time: <Time at={hold.since} /> }} />
    </span>
  )
}
