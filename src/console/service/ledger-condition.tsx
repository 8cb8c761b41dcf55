import { i18n } from '@lingui/core'
import type { Schemas } from '../../client/methods.ts'
import { formatNumber } from '../languages/language.ts'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { ServiceText } from '../parts/service-text.tsx'
import { Time } from '../parts/times.tsx'

type Ledger = Schemas['Health']['ledger']

/**
 * What the ledger has lost and, after its recovery, the progress of asking couriers before
 * creating.
 */
export function LedgerCondition({ ledger }: { readonly ledger: Ledger }) {
  const { state, find_first: findFirst } = ledger
  return (
    <>
      {state === 'damaged' && (
        <Panel title={i18n.t('Lost events')}>
          <Facts facts={damageFacts(ledger)} />
        </Panel>
      )}
      {findFirst !== null && (
        <Panel title={i18n.t('After the recovery')}>
          <p className="reason">
            {i18n.t(
              'The ledger may have lost guides. Before the service creates one, it asks the courier whether it exists.',
            )}
          </p>
          <Facts
            facts={[
              [i18n.t('Until'), <Time key="until" at={findFirst.until} />],
              [i18n.t('Keys asked'), formatNumber(findFirst.asked)],
              [i18n.t('Guides found'), formatNumber(findFirst.found)],
              [i18n.t('Guides created'), formatNumber(findFirst.created)],
            ]}
          />
        </Panel>
      )}
    </>
  )
}

function damageFacts({ damaged_since: since, detail, command }: Ledger): readonly Fact[] {
  const noticed: Fact = [i18n.t('Detected'), since && <Time key="noticed" at={since} />]
  if (command === null) return [noticed]
  return [
    noticed,
    [i18n.t('What is missing'), detail && <ServiceText key="missing">{detail}</ServiceText>],
    [i18n.t('Command that shows it'), <Copyable key="command" text={command} />],
  ]
}
