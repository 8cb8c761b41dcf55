import type { Schemas } from '../../client/methods.ts'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
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
        <Panel title="Lost events">
          <Facts facts={damageFacts(ledger)} />
        </Panel>
      )}
      {findFirst !== null && (
        <Panel title="After the recovery">
          <p className="reason">
            The ledger may have lost guides. Before the service creates one, it asks the courier
            whether it exists.
          </p>
          <Facts
            facts={[
              ['Until', <Time key="until" at={findFirst.until} />],
              ['Keys asked', findFirst.asked],
              ['Guides found', findFirst.found],
              ['Guides created', findFirst.created],
            ]}
          />
        </Panel>
      )}
    </>
  )
}

function damageFacts({ damaged_since: since, detail, command }: Ledger): readonly Fact[] {
  const noticed: Fact = ['Detected', since && <Time key="noticed" at={since} />]
  if (command === null) return [noticed]
  return [
    noticed,
    ['What is missing', detail],
    ['Command that shows it', <Copyable key="command" text={command} />],
  ]
}
