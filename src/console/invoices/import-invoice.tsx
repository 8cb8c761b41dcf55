import '../styles/invoices.css'
import { TextInput } from '@mantine/core'
import { errorAt } from '../forms/field-errors.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { ListLink } from '../lists/list-link.tsx'
import { Panel } from '../parts/panel.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { useSession } from '../session.tsx'
import { ConnectionChoice } from './connection-choice.tsx'
import { EarlierInvoice } from './earlier-invoice.tsx'
import { FetchInvoice } from './fetch-invoice.tsx'
import { daysOf, type ImportDraft, useImportDraft } from './import-draft.ts'
import { ImportErrors } from './import-errors.tsx'
import { ImportFile } from './import-file.tsx'
import { ImportPeriod } from './import-period.tsx'
import { useImported } from './use-imported.ts'

/** The API's own limit. */
const referenceMax = 255

/** Imports what a courier bills, from a file. */
export function ImportInvoice() {
  const of = useImportDraft()
  const { draft, connectionId } = of
  const sending = useImporting(of)
  const { error } = sending
  const change: typeof of.change = (part) => {
    sending.forgetRefusal()
    of.change(part)
  }
  const why = missingOf(of)
  return (
    <>
      <ScreenHead
        back={<ListLink to="/courier-invoices">Courier invoices</ListLink>}
        title="Import an invoice"
      />
      <div className="new-invoice">
        <Panel title="1. The invoice">
          <div className="choices">
            <ConnectionChoice
              value={connectionId}
              error={errorAt(error, '#/query/courier_connection_id')}
              onChange={(id) => change({ connectionId: id })}
            />
            <TextInput
              label="Reference"
              description="The courier’s number. Stored unencrypted."
              maxLength={referenceMax}
              autoComplete="off"
              value={draft.reference}
              error={errorAt(error, '#/query/reference')}
              onChange={(event) => change({ reference: event.currentTarget.value })}
            />
          </div>
          <EarlierInvoice connectionId={connectionId} reference={draft.reference.trim()} />
          <ImportPeriod
            period={draft.period}
            error={errorAt(error, '#/query/period_from') ?? errorAt(error, '#/query/period_to')}
            onChange={(period) => change({ period })}
          />
          <FetchInvoice key={`${connectionId} ${draft.period.month}`} of={of} />
        </Panel>
        <Panel title="2. The courier's list">
          <ImportFile file={draft.file} onChange={(file) => change({ file })} />
        </Panel>
        <Panel title="3. Import and compare">
          <ImportErrors error={error} />
          <div className="actions">
            <SteadyButton
              isPrimary
              isOff={sending.isPending || why !== null}
              aria-describedby="why-not-imported"
              onPress={sending.submit}
            >
              {sending.isPending ? 'Importing…' : 'Import and compare'}
            </SteadyButton>
            <span className="reason" id="why-not-imported">
              {why ?? 'Nothing is booked or paid. A file with a wrong line is refused as a whole.'}
            </span>
          </div>
        </Panel>
      </div>
    </>
  )
}

function missingOf({ draft, connectionId }: ImportDraft): string | null {
  if (connectionId === '') return 'Choose the courier connection first.'
  if (draft.reference.trim() === '') return 'Enter the reference first.'
  if (daysOf(draft.period) === null) return 'Complete the period first.'
  return draft.file === null ? 'Choose the file first.' : null
}

function useImporting(of: ImportDraft) {
  const { client } = useSession()
  const imported = useImported()
  const { draft, change, forget, connectionId } = of
  return useSendOnce({
    send: () => {
      const { file, sent } = draft
      if (file === null) throw new Error('bug: there is no file')
      const period = daysOf(draft.period) ?? undefined
      const reference = draft.reference.trim()
      const what = [connectionId, reference, period?.from, period?.to, file]
      const isSame = sent?.what.every((each, index) => each === what[index]) === true
      const idempotencyKey = isSame ? sent.key : `console-${crypto.randomUUID()}`
      change({ sent: { what, key: idempotencyKey } })
      return client.courierInvoices.createFromCsv(
        {
          courier_connection_id: connectionId,
          reference,
          ...(period === undefined ? {} : { period }),
          csv: file.bytes,
        },
        { idempotencyKey },
      )
    },
    onSent: async (invoice) => {
      forget()
      await imported(invoice)
    },
  })
}
