import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { errorAt } from '../forms/field-errors.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { useDamageReason } from '../reading/use-health.ts'
import { useSession } from '../session.tsx'
import type { BatchDraft } from './batch-draft.ts'
import { EarlierBatch, isDoubtful, useEarlier } from './earlier-batch.tsx'
import { sentCsv } from './file/batch-csv.ts'
import type { CheckedLines } from './file/check-lines.ts'
import type { CsvFile } from './file/csv-file.ts'
import { keepReferences } from './sent-references.ts'

/** The API's own limit. */
const referenceMax = 255

type SendProps = {
  readonly of: BatchDraft
  readonly file: CsvFile
  readonly checked: CheckedLines
}

/** What a person confirmed: another file or name asks again. */
type Sure = { readonly reference: string; readonly checked: CheckedLines }

/** Names the batch and sends its good lines. */
export function SendLines({ of, file, checked }: SendProps) {
  const { change, reference, workspaceId, connectionId, names } = of
  const sending = useSending({ of, file, checked })
  const earlier = useEarlier({ reference: reference.trim(), workspaceId, checked })
  const [sureOf, setSureOf] = useState<Sure | null>(null)
  const isDamaged = useDamageReason() !== null
  const isSure = sureOf?.reference === reference && sureOf.checked === checked
  const why =
    (names.isSettled ? null : 'Wait until the names are looked up.') ??
    refusalOf({ checked, reference, workspaceId, connectionId }) ??
    (isDoubtful(earlier) && !isSure ? 'Confirm first that these are other parcels.' : null)
  const left = file.lines.length - checked.good.length
  return (
    <>
      <TextInput
        label="Reference"
        description="The same reference finds the same shipments: send a corrected file under it again, and no order gets a second guide. Under another reference every order is shipped again. It is stored unencrypted, so leave out names of people."
        maxLength={referenceMax}
        value={reference}
        error={errorAt(sending.error, '#/query/external_reference')}
        onChange={(event) => change({ reference: event.currentTarget.value })}
      />
      <EarlierBatch
        earlier={earlier}
        isSure={isSure}
        onSure={(isNow) => setSureOf(isNow ? { reference, checked } : null)}
      />
      <Refused error={sending.error} />
      <div className="actions">
        <SteadyButton
          isPrimary
          isOff={sending.isPending || why !== null}
          aria-describedby="why-not-sent"
          onPress={sending.submit}
        >
          {sending.isPending ? 'Sending…' : wordFor(checked.good.length, left)}
        </SteadyButton>
        <span className="reason" id="why-not-sent">
          {why ?? 'Each line makes one shipment and one guide, which the courier may charge for.'}
          {isDamaged && ' The ledger has lost events: the lines wait until it is recovered.'}
        </span>
      </div>
    </>
  )
}

function wordFor(good: number, left: number): string {
  const shipments = good === 1 ? 'one shipment' : `${good} shipments`
  return left === 0 ? `Create ${shipments}` : `Create ${shipments} of the good lines`
}

type Needed = {
  readonly checked: CheckedLines
  readonly reference: string
  readonly workspaceId: string
  readonly connectionId: string
}

function refusalOf({ checked, reference, workspaceId, connectionId }: Needed): string | null {
  if (checked.good.length === 0) return 'No line is good.'
  if (workspaceId === '') return 'Choose the workspace first.'
  if (connectionId === '' && !checked.columns.includes('courier_connection_id')) {
    return 'Choose the courier connection first.'
  }
  return reference.trim() === '' ? 'Give it a reference first.' : null
}

function useSending({ of, file, checked }: SendProps) {
  const session = useSession()
  const queries = useQueryClient()
  const [, goTo] = useLocation()
  const { draft, change, forget, workspaceId, connectionId, reference } = of
  return useSendOnce({
    send: () => {
      const batch = {
        external_reference: reference.trim(),
        workspace_id: workspaceId,
        ...(connectionId === '' ? {} : { courier_connection_id: connectionId }),
        csv: sentCsv(file, checked),
      }
      const content = JSON.stringify(batch)
      const key =
        draft.sent?.content === content ? draft.sent.key : `console-${crypto.randomUUID()}`
      change({ sent: { content, key } })
      return session.client.batches.createFromCsv(batch, { idempotencyKey: key })
    },
    onSent: async (batch) => {
      keepReferences(session, batch.id, checked.references)
      forget()
      await queries.invalidateQueries({ queryKey: ['batches'] })
      goTo(`/batches/${batch.id}`)
    },
  })
}
