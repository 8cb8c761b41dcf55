import { useMutation } from '@tanstack/react-query'
import { ActButton } from '../parts/act-button.tsx'
import { openFile } from '../parts/save-file.ts'
import { Refused } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { type Invoice, isWithdrawn } from './invoice-findings.ts'
import { atStakeBy } from './invoice-money.ts'
import { LinesEvidence } from './work/lines-evidence.tsx'

/** The claim about the disputed lines, to send to the courier, once there are some. */
export function Claim({ invoice }: { readonly invoice: Invoice }) {
  const { client } = useSession()
  const { id, reference, version, decisions } = invoice
  const opening = useMutation({
    mutationFn: () => {
      const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
      return client.courierInvoices.getClaim({ id, time_zone })
    },
    onSuccess: (bytes) =>
      openFile(`claim-${reference}.pdf`, 'application/pdf', new Uint8Array(bytes)),
    gcTime: 0,
  })
  if (decisions.disputed === 0 || isWithdrawn(invoice)) return null
  const disputed = {
    finding: 'all',
    show: 'disputed',
    version,
    isNewest: true,
    line: null,
  } as const
  return (
    <section className="claim" aria-label="Claim">
      <p>{claimText(invoice)}</p>
      <div className="actions">
        <ActButton
          word="Open the claim"
          scope="ledger:read"
          isPrimary
          isPending={opening.isPending}
          onAct={() => opening.mutate()}
        />
        <LinesEvidence invoiceId={id} view={disputed} />
      </div>
      <Refused error={opening.error} />
    </section>
  )
}

function claimText(invoice: Invoice): string {
  const { disputed } = invoice.decisions
  const lines = disputed.toLocaleString('en')
  const money = atStakeBy(invoice, 'disputed')
  if (money === null) {
    return disputed === 1
      ? 'The claim for the courier names one disputed line, without an amount.'
      : `The claim for the courier names ${lines} disputed lines, without an amount.`
  }
  return disputed === 1
    ? `The claim for the courier is ${money} for one disputed line.`
    : `The claim for the courier is ${money} for ${lines} disputed lines.`
}
