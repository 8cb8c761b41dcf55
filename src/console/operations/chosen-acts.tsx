import { NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ComponentType, useState } from 'react'
import type { Client } from '../../client/create-client.ts'
import type { Operation } from '../../client/methods.ts'
import { ActOnChosen } from '../lists/act-on-chosen.tsx'
import { counted } from '../lists/counted.ts'
import { useSession } from '../session.tsx'
import { hourMs, snoozes, useOperatorChoices } from './work-choices.ts'

type ChosenProps = { readonly operations: readonly Operation[]; readonly onClose: () => void }

/** The actions on several operations of the work list. */
export const chosenActs = {
  look: {
    wordFor: (count: number) => (count === 0 ? 'Ask the courier…' : `Ask about ${count}…`),
    Dialog: LookAtChosen,
  },
  assign: {
    wordFor: (count: number) => (count === 0 ? 'Assign…' : `Assign ${count}…`),
    Dialog: AssignChosen,
  },
  snooze: {
    wordFor: (count: number) => (count === 0 ? 'Snooze…' : `Snooze ${count}…`),
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
      title={`Ask the courier about ${counted(operations.length, 'operation')}?`}
      does="Ask the courier"
      done="checked"
      act={look}
      onClose={onClose}
    >
      <p>
        The courier is asked which guides exist under each reference. This creates nothing. The
        courier can be asked about an operation once every 10 seconds.
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
      title={`Assign ${counted(operations.length, 'operation')}?`}
      does="Assign"
      done={operatorId === '' ? 'unassigned' : 'assigned'}
      act={assign}
      onClose={onClose}
    >
      <NativeSelect
        label="Assigned to"
        value={operatorId}
        onChange={(event) => setOperatorId(event.currentTarget.value)}
        data={[{ value: '', label: 'Unassigned' }, ...choices]}
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
      title={`Snooze ${counted(operations.length, 'operation')}?`}
      does="Snooze"
      done="snoozed"
      act={snooze}
      onClose={onClose}
    >
      <p>They leave the work list until then, or until there is news about them.</p>
      <NativeSelect
        label="For how long"
        value={hours}
        onChange={(event) => setHours(event.currentTarget.value)}
        data={snoozes.map(([value, word]) => ({ value: String(value), label: `For ${word}` }))}
      />
    </ActOnOperations>
  )
}

type Act = ComponentProps<typeof ActOnChosen<Operation>>
type ActProps = Omit<Act, 'chosen' | 'noun' | 'nameOf' | 'onDone'> & {
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
      noun="operation"
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
