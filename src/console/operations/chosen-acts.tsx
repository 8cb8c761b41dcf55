import { NativeSelect } from '@mantine/core'
import { type ComponentType, useState } from 'react'
import type { Operation } from '../../client/methods.ts'
import { counted } from '../lists/counted.ts'
import { useSession } from '../session.tsx'
import { ActOnOperations } from './act-on-operations.tsx'
import { hourMs, snoozes, useOperatorChoices } from './work-choices.ts'

type ChosenProps = { readonly operations: readonly Operation[]; readonly onClose: () => void }

/** What can be done to several operations of the work list together. */
export const chosenActs = {
  look: {
    wordFor: (count: number) => (count === 0 ? 'Look now…' : `Look at ${count} now…`),
    Dialog: LookAtChosen,
  },
  assign: {
    wordFor: (count: number) => (count === 0 ? 'Assign…' : `Assign ${count}…`),
    Dialog: AssignChosen,
  },
  snooze: {
    wordFor: (count: number) => (count === 0 ? 'Put off…' : `Put off ${count}…`),
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
      title={`Look at ${counted(operations.length, 'operation')} now?`}
      does="Look now"
      done="looked at"
      act={look}
      onClose={onClose}
    >
      <p>
        The courier is asked what exists under the reference of each. A look creates nothing. One
        operation can be looked at once in 10 seconds.
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
    return { now: await client.operations.snooze({ id, until }), word: 'put_off' }
  }
  return (
    <ActOnOperations
      operations={operations}
      title={`Put off ${counted(operations.length, 'operation')}?`}
      does="Put off"
      done="put off"
      act={snooze}
      onClose={onClose}
    >
      <p>They leave the work list until then, or until something new is known about them.</p>
      <NativeSelect
        label="For how long"
        value={hours}
        onChange={(event) => setHours(event.currentTarget.value)}
        data={snoozes.map(([value, word]) => ({ value: String(value), label: `For ${word}` }))}
      />
    </ActOnOperations>
  )
}
