import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import IconAlertOctagon from '@tabler/icons-react/icons/IconAlertOctagon'
import { Copyable } from '../parts/copyable.tsx'
import { ServiceText } from '../parts/service-text.tsx'
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
              <strong>{ledgerDamagedSentence()}</strong>{' '}
              {ledger.damaged_since !== null && (
                <>
                  <Trans
                    id="Detected {time}."
                    values={{ time: <Time at={ledger.damaged_since} /> }}
                  />{' '}
                </>
              )}
              {ledger.detail !== null && <ServiceText>{ledger.detail}</ServiceText>}
            </p>
            {ledger.command === null ? (
              <p>{i18n.t('The operator of this service must recover it.')}</p>
            ) : (
              <p>
                {i18n.t('See what is missing:')} <Copyable text={ledger.command} />
              </p>
            )}
          </div>
        </>
      )}
    </div>
  )
}
