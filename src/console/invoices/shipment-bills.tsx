import { i18n } from '@lingui/core'
import { Link } from 'wouter'
import { Badge } from '../parts/badge.tsx'
import { Panel } from '../parts/panel.tsx'
import { Needs } from '../parts/scopes.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { WideTable } from '../parts/wide-table.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import { formatMoney } from '../shipments/money.ts'
import { Billed } from './work/line-columns.tsx'
import { hrefOfBilled } from './work/line-view.ts'

/** A courier bills a shipment a few times at most. */
const shownMax = 100
/** Invoices come once a month; people decide their lines meanwhile. */
const everyMs = 10_000

type BillsProps = { readonly shipmentId: string }

/** The lines of couriers' invoices that bill one shipment. */
export function ShipmentBills({ shipmentId }: BillsProps) {
  return (
    <Panel title={i18n.t('Billed by the courier')}>
      <Needs scope="operations:read">
        <Bills shipmentId={shipmentId} />
      </Needs>
    </Panel>
  )
}

function Bills({ shipmentId }: BillsProps) {
  const { client } = useSession()
  const input = { id: shipmentId, limit: shownMax }
  const read = usePolled(
    ['invoice-lines', 'shipment', input],
    client.courierInvoices.listShipmentLines,
    input,
    { everyMs: () => everyMs },
  )
  const { data: page } = read
  if (page === undefined) {
    if (read.isPending) return <Loading />
    return <Failed error={read.error} again={() => void read.refetch()} />
  }
  if (page.data.length === 0) {
    return <Empty title={i18n.t('Not billed yet')}>{i18n.t('No invoice bills it.')}</Empty>
  }
  return (
    <>
      <WideTable
        name={i18n.t('Lines of invoices')}
        columns={[
          i18n.t('Invoice'),
          i18n.t('Line'),
          i18n.t('Finding'),
          i18n.t('Billed'),
          i18n.t('At stake'),
          i18n.t('Decision'),
        ]}
      >
        {page.data.map((line) => (
          <tr key={`${line.courier_invoice_id} ${line.line}`}>
            <td>
              <Link href={hrefOfBilled(line)}>{line.reference}</Link>
            </td>
            <td>{line.line}</td>
            <td>
              {line.finding === null ? i18n.t('not compared yet') : <Badge value={line.finding} />}
            </td>
            <td>
              <Billed line={line} />
            </td>
            <td>
              {line.at_stake === null
                ? '–'
                : formatMoney({ amount: line.at_stake, currency: line.currency })}
            </td>
            <td>{line.decision === null ? '–' : <Badge value={line.decision.decision} />}</td>
          </tr>
        ))}
      </WideTable>
      {page.has_more && (
        <p className="reason">
          {i18n.t('The first {count} lines are shown.', { count: shownMax })}
        </p>
      )}
    </>
  )
}
