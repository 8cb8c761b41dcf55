import { i18n } from '@lingui/core'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { ServiceSentence } from '../forms/service-sentence.tsx'
import { Refused } from '../parts/states.tsx'
import type { useSheetCheck } from './use-sheet-check.ts'

type ProgressProps = {
  readonly check: Pick<ReturnType<typeof useSheetCheck>, 'error' | 'isSettled'>
  /** What must be chosen before the file can be checked. */
  readonly needs: string | null
}

/** Whether a file is being checked, and why it cannot be. */
export function CheckProgress({ check: { error, isSettled }, needs }: ProgressProps) {
  if (needs !== null) return <p className="reason">{needs}</p>
  if (error !== null) return <Unread error={error} />
  return (
    <p className="reason" role="status">
      {isSettled ? i18n.t('Checked. Nothing is created yet.') : i18n.t('Checking the file…')}
    </p>
  )
}

/** What is wrong with the whole file, or with its reading. */
function Unread({ error }: { readonly error: Error }) {
  const title = i18n.t('The file cannot be checked.')
  const faults = error instanceof ShippingLedgerError ? error.errors : []
  if (faults.length === 0) return <Refused error={error}>{title}</Refused>
  return (
    <div className="refusal" role="alert">
      <p>{title}</p>
      {faults.map(({ pointer, detail }) => (
        <p key={`${pointer} ${detail}`}>
          <ServiceSentence>{detail}</ServiceSentence>
        </p>
      ))}
    </div>
  )
}
