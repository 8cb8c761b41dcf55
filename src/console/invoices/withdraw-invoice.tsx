import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSendOnce } from '../forms/use-send-once.ts'
import { counted } from '../lists/counted.ts'
import { ActButton } from '../parts/act-button.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { Refused } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { type Invoice, isWithdrawn } from './invoice-findings.ts'
import { useInvoiceChanged } from './use-invoice.ts'

type InvoiceProps = { readonly invoice: Invoice }

/** Takes back the import of an invoice, until it is sent again. */
export function WithdrawInvoice({ invoice }: InvoiceProps) {
  const [isOpen, setOpen] = useState(false)
  if (isWithdrawn(invoice)) return null
  return (
    <>
      <ActButton word="Withdraw…" scope="operations:review" onAct={() => setOpen(true)} />
      {isOpen && <WithdrawDialog invoice={invoice} onClose={() => setOpen(false)} />}
    </>
  )
}

function WithdrawDialog({ invoice, onClose }: InvoiceProps & { readonly onClose: () => void }) {
  const { client } = useSession()
  const queries = useQueryClient()
  const changed = useInvoiceChanged()
  const { id, reference, total, decisions } = invoice
  const sending = useSendOnce({
    send: () => client.courierInvoices.withdraw({ id }),
    onSent: async (now) => {
      // Others may be compared again because of it.
      await queries.invalidateQueries({ queryKey: ['invoice'], refetchType: 'none' })
      await changed(now)
      onClose()
    },
  })
  const decided = decisions.accepted + decisions.disputed
  return (
    <ConfirmDialog
      title={`Withdraw ${reference}?`}
      does="Withdraw it"
      isDangerous
      isPending={sending.isPending}
      onConfirm={sending.submit}
      onLeave={onClose}
    >
      <p>
        For an invoice that was imported by mistake. It cannot be deleted; this is what follows:
      </p>
      <ul className="follows">
        <li>Its {counted(total, 'line')} bill nothing any more. They can still be read.</li>
        <li>
          Invoices that have a line billed twice because of it are compared again by themselves.
        </li>
        <li>
          To end the withdrawal, import it again under its reference. It is then compared as a new
          version, {decided > 0 && `without the ${counted(decided, 'decision')} made so far, `}and
          comes behind the invoices that were imported meanwhile.
        </li>
      </ul>
      <Refused error={sending.error} />
    </ConfirmDialog>
  )
}
