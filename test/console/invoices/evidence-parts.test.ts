import { i18n } from '@lingui/core'
import t from 'tap'
import { ShippingLedgerError } from '../../../src/client/shipping-ledger-error.ts'
import {
  dividedBy,
  fileNameOf,
  saveTextOf,
} from '../../../src/console/invoices/work/evidence-parts.ts'
import { compileMessagesOnUse } from '../../../src/console/languages/compiled-messages.ts'
import { divided } from '../../../src/service/http/courier-invoices/choose-lines.ts'

compileMessagesOnUse()
i18n.activate('en')

/** The client's error for the service's refusal to include this line in the file. */
function refusedAt(line: number) {
  const { reason, message } = divided('There are more than 1,000 lines.', line)
  return new ShippingLedgerError({
    message: `${reason}: ${message}`,
    reason,
    outcome: null,
    retryable: false,
  })
}

t.test('a file is divided where the service says', async (t) => {
  const part = { first: null, last: null }
  const [first, rest] = dividedBy(refusedAt(52), part) ?? []
  t.strictSame(
    [first, rest],
    [
      { first: null, last: 51 },
      { first: 52, last: null },
    ],
  )
  const [second] = dividedBy(refusedAt(104), rest ?? part) ?? []
  t.strictSame(second, { first: 52, last: 103 })
  t.equal(saveTextOf({ first: 52, last: 52 }), 'Save line 52')
  t.equal(fileNameOf('inv_1', { first: 52, last: 103 }), 'evidence-inv_1-lines-52-103.zip')
})

t.test('what cannot be divided is an error like others', async (t) => {
  t.equal(dividedBy(refusedAt(1), { first: null, last: null }), null, 'the first shipment')
  t.equal(dividedBy(refusedAt(52), { first: 52, last: null }), null, 'the first of a part')
  t.equal(dividedBy(new Error('last_line=3, first_line=4'), { first: null, last: null }), null)
})
