import IconAlertOctagon from '@tabler/icons-react/icons/IconAlertOctagon'
import { Copyable } from '../parts/copyable.tsx'
import { Time } from '../parts/times.tsx'
import { ledgerDamagedSentence, useHealth } from '../reading/use-health.ts'

/** Shows on every screen that the ledger has lost events, and how to recover. */
export function DamageNotice() {
  const ledger = useHealth().data?.ledger
  return (
    <div className="damage-notice" aria-live="assertive">
      {ledger?.state === 'damaged' && (
        <>
          <IconAlertOctagon size={18} aria-hidden />
          <div>
            <p>
              <strong>{ledgerDamagedSentence}</strong>{' '}
              {ledger.damaged_since !== null && (
                <>
                  Detected <Time at={ledger.damaged_since} />.{' '}
                </>
              )}
              {ledger.detail}
            </p>
            {ledger.command === null ? (
              <p>The operator of this service must recover it.</p>
            ) : (
              <p>
                See what is missing: <Copyable text={ledger.command} />
              </p>
            )}
          </div>
        </>
      )}
    </div>
  )
}
