import { i18n } from '@lingui/core'
import { NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ComponentType, useState } from 'react'
import type { Client } from '../../client/create-client.ts'
import type { Operation } from '../../client/methods.ts'
import { ActOnChosen } from '../lists/act-on-chosen.tsx'
import { useSession } from '../session.tsx'
import { hourMs, snoozes, useOperatorChoices } from './work-choices.ts'

type ChosenProps = { readonly operations: readonly Operation[]; readonly onClose: () => void }

/** The actions on several operations of the work list. */
export const chosenActs = {
  look: {
    wordFor: (count: number) =>
      count === 0 ? i18n.t('Ask the courier…') : i18n.t('Ask about {count}…', { count }),
    Dialog: LookAtChosen,
  },
  assign: {
    wordFor: (count: number) =>
      count === 0 ? i18n.t('Assign…') : i18n.t('Assign {count}…', { count }),
    Dialog: AssignChosen,
  },
  snooze: {
    wordFor: (count: number) =>
      count === 0 ? i18n.t('Snooze…') : i18n.t('Snooze {count}…', { count }),
    Dialog: SnoozeChosen,
  },
} satisfies Record<
  string,
  { wordFor: (count: number) => string; Dialog: ComponentType<ChosenProps> }
>
export type ChosenAct = keyof typeof chosenActs

function LookAtChosen({ operations, onClose }: ChosenProps) {
  const { client } = useSession()
  const look = async ({ id }: Operation) => {
    const now = await client.operations.lookAt({ id })
    return { now, word: now.looks.at(-1)?.answer ?? now.status }
  }
  return (
    <ActOnOperations
      operations={operations}
      title={i18n.t(
        'Ask the courier about {count, plural, one {# operation} other {# operations}}?',
        { count: operations.length },
      )}
      does={i18n.t('Ask the courier')}
      done={(count, total) =>
        i18n.t('{count, plural, one {# operation} other {# operations}} of {total} checked.', {
          count,
          total,
        })
      }
      act={look}
      onClose={onClose}
    >
      <p>
        {i18n.t(
          'The courier is asked which guides exist under each reference. This creates nothing. The courier can be asked about an operation once every 10 seconds.',
        )}
      </p>
    </ActOnOperations>
  )
}

function AssignChosen({ operations, onClose }: ChosenProps) {
  const { client, key } = useSession()
  const [operatorId, setOperatorId] = useState(key.operator_id ?? '')
  const choices = useOperatorChoices(null)
  const assign = async ({ id }: Operation) => {
    const now = await client.operations.assign({
      id,
      operator_id: operatorId === '' ? null : operatorId,
    })
    return { now, word: now.assignee === null ? 'unassigned' : 'assigned' }
  }
  return (
    <ActOnOperations
      operations={operations}
      title={i18n.t('Assign {count, plural, one {# operation} other {# operations}}?', {
        count: operations.length,
      })}
      does={i18n.t('Assign')}
      done={(count, total) =>
        operatorId === ''
          ? i18n.t(
              '{count, plural, one {# operation} other {# operations}} of {total} unassigned.',
              {
                count,
                total,
              },
            )
          : i18n.t('{count, plural, one {# operation} other {# operations}} of {total} assigned.', {
              count,
              total,
            })
      }
      act={assign}
      onClose={onClose}
    >
      <NativeSelect
        label={i18n.t('Assigned to')}
        value={operatorId}
        onChange={(event) => setOperatorId(event.currentTarget.value)}
        data={[{ value: '', label: i18n.t('Unassigned') }, ...choices]}
      />
    </ActOnOperations>
  )
}

function SnoozeChosen({ operations, onClose }: ChosenProps) {
  const { client, key } = useSession()
  const [hours, setHours] = useState('4')
  const snooze = async ({ id, workspace_id }: Operation) => {
    // In test mode each workspace has a clock of its own.
    const nowMs = key.livemode
      ? Date.now()
      : Date.parse((await client.sandbox.getClock({ workspace_id })).now)
    const until = new Date(nowMs + Number(hours) * hourMs).toISOString()
    return { now: await client.operations.snooze({ id, until }), word: 'snoozed' }
  }
  return (
    <ActOnOperations
      operations={operations}
      title={i18n.t('Snooze {count, plural, one {# operation} other {# operations}}?', {
        count: operations.length,
      })}
      does={i18n.t('Snooze')}
      done={(count, total) =>
        i18n.t('{count, plural, one {# operation} other {# operations}} of {total} snoozed.', {
          count,
          total,
        })
      }
      act={snooze}
      onClose={onClose}
    >
      <p>{i18n.t('They leave the work list until then, or until there is news about them.')}</p>
      <NativeSelect
        label={i18n.t('For how long')}
        value={hours}
        onChange={(event) => setHours(event.currentTarget.value)}
        data={snoozes.map(({ hours, word }) => ({ value: String(hours), label: word() }))}
      />
    </ActOnOperations>
  )
}

type Act = ComponentProps<typeof ActOnChosen<Operation>>
type ActProps = Omit<Act, 'chosen' | 'rowName' | 'nameOf' | 'onDone'> & {
  readonly operations: readonly Operation[]
}

/**
 * Performs one action on several operations, and finishes once the lists and counts show the
 * result.
 */
function ActOnOperations({ operations, ...act }: ActProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  return (
    <ActOnChosen
      {...act}
      chosen={operations}
      rowName={i18n.t('Operation')}
      nameOf={(operation) => operation.external_reference}
      onDone={async (lastChanged) => {
        await untilListed(client, lastChanged)
        await Promise.all(
          [['operations'], ['statistics', 'operations']].map((queryKey) =>
            queries.invalidateQueries({ queryKey }),
          ),
        )
      }}
    />
  )
}

/** Lists lag behind the events by moments, so one or two reads are usually enough. */
const listedEveryMs = 250
/** Five seconds in total. Lists that are further behind show that themselves. */
const listedTriesMax = 20

/** Waits, up to a limit, until the lists show the operation that changed last. */
async function untilListed(client: Client, changed: Operation | null): Promise<void> {
  if (changed === null) return
  const { id, shipment_id, version } = changed
  for (let tries = 0; tries < listedTriesMax; tries++) {
    const { data } = await client.operations.list({ shipment_id })
    if (data.some((listed) => listed.id === id && listed.version >= version)) return
    await new Promise((resolve) => setTimeout(resolve, listedEveryMs))
  }
}
