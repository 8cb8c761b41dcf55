import { i18n } from '@lingui/core'
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
  if (operator.isPending) return <Loading />
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
        back={<ListLink to="/operators">{i18n.t('Operators')}</ListLink>}
        title={operator.name}
        states={
          <>
            <Badge value={operator.status} />
            {operator.id === key.operator_id && <Badge value={i18n.t('you')} />}
          </>
        }
      />
      <section className="actions" aria-label={i18n.t('Actions')}>
        {button(i18n.t('Change…'), 'change')}
        {operator.status === 'active'
          ? button(i18n.t('Disable…'), 'disable')
          : button(i18n.t('Enable…'), 'enable')}
      </section>
      <Panel title={i18n.t('Details')} name={i18n.t('Facts')}>
        <Facts facts={factsOf(operator)} />
      </Panel>
      {Opened !== null && <Opened operator={operator} onClose={() => setOpened(null)} />}
    </>
  )
}

function subjectOf({ email, subject }: Operator) {
  if (subject !== null) return <Copyable key="subject" text={subject} />
  return email === null
    ? i18n.t('not shown to this key')
    : i18n.t('none: known by the e-mail address')
}

function factsOf(operator: Operator): readonly Fact[] {
  return [
    [i18n.t('Operator'), <Copyable key="id" text={operator.id} />],
    [i18n.t('E-mail'), operator.email ?? i18n.t('not shown to this key')],
    [i18n.t('Id at the company’s sign-in (sub)'), subjectOf(operator)],
    [i18n.t('Created'), <Time key="created" at={operator.created_at} />],
    [i18n.t('Changed'), <Time key="changed" at={operator.updated_at} />],
    [i18n.t('Version'), operator.version],
  ]
}
