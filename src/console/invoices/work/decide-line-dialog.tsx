import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { useState } from 'react'
import type { Client } from '../../../client/create-client.ts'
import { ShippingLedgerError } from '../../../client/shipping-ledger-error.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSendOnce } from '../../forms/use-send-once.ts'
import { Badge } from '../../parts/badge.tsx'
import { CloseButton, DialogActions, DialogWindow } from '../../parts/dialog.tsx'
import { stateWord } from '../../parts/state-words.ts'
import { Time } from '../../parts/times.tsx'
import { useSession } from '../../session.tsx'
import { findingText, type InvoiceLine, isFinding, isOutdated } from '../invoice-findings.ts'
import { bodyOf, DecisionFields, seenOf, useLineDecision } from './decision-fields.tsx'
import { LineAmounts } from './line-amounts.tsx'

type DecideProps = {
  readonly invoiceId: string
  readonly version: number
  readonly line: InvoiceLine
  readonly onClose: () => void
  readonly onDecided: (decided: InvoiceLine) => void
}

/** The invoice has a newer version, so this line is no longer in force. */
class Superseded extends Error {}

/** Accepts or disputes one line. */
export function DecideLineDialog(props: DecideProps) {
  const { invoiceId, version, line, onClose, onDecided } = props
  const { client, key } = useSession()
  const { draft, change, forget } = useLineDecision(`decision of ${invoiceId} ${line.line}`)
  // The decision is about what this window shows, even if the line changes meanwhile.
  const [seen, setSeen] = useState(line)
  const body = bodyOf(draft, key.operator_id !== null)
  const sending = useSendOnce({
    send: async () => {
      if (body === null) throw new Error(i18n.t('The decision or the note is missing.'))
      const at = { id: invoiceId, line: String(line.line) }
      try {
        return await client.courierInvoices.decideLine({ ...at, ...body, ...seenOf(version, seen) })
      } catch (error) {
        if (isChanged(error)) setSeen(await readAgain(client, props))
        throw error
      }
    },
    onSent: (decided) => {
      forget()
      onClose()
      onDecided(decided)
    },
  })
  if (sending.error instanceof Superseded) return <SupersededWindow {...props} />
  return (
    <FormDialog
      title={
        seen.decision === null
          ? i18n.t('Decide line {line}', { line: line.line })
          : i18n.t('Decide again about line {line}', { line: line.line })
      }
      does={
        isChanged(sending.error) ? i18n.t('Decide on the new state') : i18n.t('Record the decision')
      }
      sending={sending}
      fields={[]}
      onClose={onClose}
    >
      <Seen line={seen} />
      <DecisionFields draft={draft} isOff={sending.isPending} onChange={change} />
    </FormDialog>
  )
}

function isChanged(error: unknown): boolean {
  return error instanceof ShippingLedgerError && error.reason === 'invoice_line_changed'
}

async function readAgain(client: Client, props: DecideProps): Promise<InvoiceLine> {
  const { invoiceId: id, version, line } = props
  const invoice = await client.courierInvoices.get({ id })
  if (invoice.version !== version) throw new Superseded()
  const number = String(line.line)
  const at = { id, first_line: number, last_line: number, version: String(version) }
  const [now] = (await client.courierInvoices.listLines(at)).data
  if (now === undefined) throw new Superseded()
  return now
}

/** The subject of the decision: the finding, the amounts, and the decision being replaced. */
function Seen({ line }: { readonly line: InvoiceLine }) {
  const { finding, decision, guide_number: guide } = line
  return (
    <>
      <p>
        <Trans id="Guide <code>{guide}</code>" values={{ guide }} components={{ code: <code /> }} />{' '}
        {finding !== null && <Badge value={finding} />}
      </p>
      {finding !== null && isFinding(finding) && <p>{findingText(finding, line).what}</p>}
      <LineAmounts line={line} />
      {decision !== null && <Replaced decision={decision} isOutdated={isOutdated(line)} />}
    </>
  )
}

type ReplacedProps = {
  readonly decision: NonNullable<InvoiceLine['decision']>
  readonly isOutdated: boolean
}

function Replaced({ decision, isOutdated: isOld }: ReplacedProps) {
  const who = decision.decided_by ?? decision.operator_id
  const values = {
    decision: <Badge value={decision.decision} />,
    finding: stateWord(decision.finding),
    who: who === null ? i18n.t('a key') : <bdi>{who}</bdi>,
    time: <Time at={decision.at} />,
  }
  return (
    <p className="what-next">
      {isOld ? (
        <Trans
          id="{decision} when the finding was {finding}, by {who}, {time}. Your decision replaces it; the audit keeps both."
          values={values}
        />
      ) : (
        <Trans
          id="{decision} by {who}, {time}. Your decision replaces it; the audit keeps both."
          values={values}
        />
      )}
    </p>
  )
}

function SupersededWindow({ line, onClose }: DecideProps) {
  return (
    <DialogWindow
      title={i18n.t('Line {line} is outdated', { line: line.line })}
      open
      isQuestion
      onOpenChange={(open) => open || onClose()}
    >
      <p role="alert">
        {i18n.t(
          'This reference was imported again with other lines, so the invoice has a new version. Your decision was not recorded. Open the lines of the new version.',
        )}
      </p>
      <DialogActions>
        <CloseButton onClose={onClose} />
      </DialogActions>
    </DialogWindow>
  )
}
