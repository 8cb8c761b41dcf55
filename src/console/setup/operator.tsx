import { useState } from 'react'
import type { Answered, Schemas } from '../../client/methods.ts'
import { ListLink } from '../lists/list-link.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import {
  ChangeOperatorDialog,
  DisableOperatorDialog,
  EnableOperatorDialog,
  useOperatorsRefusal,
} from './operator-dialogs.tsx'

type Operator = Answered<Schemas['Operator']>

/** It rarely changes. */
const everyMs = 6_000

const dialogs = {
  change: ChangeOperatorDialog,
  disable: DisableOperatorDialog,
  enable: EnableOperatorDialog,
} as const

/** One operator. */
export function OperatorScreen({ id }: { readonly id: string }) {
  const { client } = useSession()
  const operator = usePolled(
    ['operator', id],
    client.operators.get,
    { id },
    { everyMs: () => everyMs },
  )
  if (operator.data !== undefined) return <Shown operator={operator.data} />
  if (operator.isPending) return <Loading what="the operator" />
  return <Failed isScreen error={operator.error} again={() => void operator.refetch()} />
}

function Shown({ operator }: { readonly operator: Operator }) {
  const { key } = useSession()
  const refused = useOperatorsRefusal()
  const [opened, setOpened] = useState<keyof typeof dialogs | null>(null)
  const Opened = opened === null ? null : dialogs[opened]
  const button = (word: string, dialog: keyof typeof dialogs) => (
    <ActButton
      word={word}
      scope="operators:write"
      refused={refused}
      onAct={() => setOpened(dialog)}
    />
  )
  return (
    <>
      <ScreenHead
        back={<ListLink to="/operators">Operators</ListLink>}
        title={operator.name}
        states={
          <>
            <Badge value={operator.status} />
            {operator.id === key.operator_id && <Badge value="you" />}
          </>
        }
      />
      <section className="actions" aria-label="Actions">
        {button('Change…', 'change')}
        {operator.status === 'active' ? button('Disable…', 'disable') : button('Enable…', 'enable')}
      </section>
      <Panel title="Details" name="Facts">
        <Facts facts={factsOf(operator)} />
      </Panel>
      {Opened !== null && <Opened operator={operator} onClose={() => setOpened(null)} />}
    </>
  )
}

function factsOf(operator: Operator): readonly Fact[] {
  return [
    ['Operator', <Copyable key="id" text={operator.id} />],
    ['E-mail', operator.email ?? 'not shown to this key'],
    ['Created', <Time key="created" at={operator.created_at} />],
    ['Changed', <Time key="changed" at={operator.updated_at} />],
    ['Version', operator.version],
  ]
}
