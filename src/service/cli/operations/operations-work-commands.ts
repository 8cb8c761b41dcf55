import { asRequired, operatorActing } from '../acting.ts'
import { type Call, type Command, readTime, UsageError } from '../command.ts'
import { commentIn } from '../written-text.ts'
import { answer } from './operations-commands.ts'

export const operationsAssign: Command = {
  name: 'operations assign',
  summary: 'Gives an operation to an operator.',
  subject: 'operation id',
  subjectId: 'op',
  flags: {
    to: {
      value: 'OPERATOR',
      id: 'opr',
      description: 'The operator who works on it: of its organization, or of that of --as.',
    },
    unassign: { description: 'Give it back.' },
    ...asRequired,
  },
  examples: [
    'operations assign op_4Zb1cD2eF3gH4iJ5kL6mN701 --to opr_9Zb1cD2eF3gH4iJ5kL6mN7 --as opr_4Zb1cD2eF3gH4iJ5kL6mN7',
    'operations assign op_4Zb1cD2eF3gH4iJ5kL6mN701 --unassign --as opr_4Zb1cD2eF3gH4iJ5kL6mN7',
  ],
  run: async (call) => {
    const operatorId = oneOf(call, 'to', 'unassign')
    const actorOn = operatorActing(call)
    return await answer(call, (operations, id) => operations.assign(id, operatorId, actorOn))
  },
}

export const operationsComment: Command = {
  name: 'operations comment',
  summary: 'Writes a comment on an operation.',
  subject: 'operation id',
  subjectId: 'op',
  flags: {
    text: { value: 'TEXT', required: true, description: 'The comment; kept encrypted.' },
    ...asRequired,
  },
  examples: [
    "operations comment op_4Zb1cD2eF3gH4iJ5kL6mN701 --text 'They call back at nine.' --as opr_4Zb1cD2eF3gH4iJ5kL6mN7",
  ],
  run: async (call) => {
    const text = commentIn(call)
    const actorOn = operatorActing(call)
    return await answer(call, (operations, id) => operations.comment(id, text, actorOn))
  },
}

export const operationsSnooze: Command = {
  name: 'operations snooze',
  summary: 'Puts an operation off until a time. Reconciliation goes on.',
  subject: 'operation id',
  subjectId: 'op',
  flags: {
    until: {
      value: 'TIME',
      description: "On the workspace's clock, such as 2027-01-31T00:00:00Z. At most 30 days.",
    },
    end: { description: 'End it now.' },
    ...asRequired,
  },
  examples: [
    'operations snooze op_4Zb1cD2eF3gH4iJ5kL6mN701 --until 2027-01-31T09:00:00Z --as opr_4Zb1cD2eF3gH4iJ5kL6mN7',
  ],
  run: async (call) => {
    const text = oneOf(call, 'until', 'end')
    const until = text === null ? null : readTime('until', text)
    const actorOn = operatorActing(call)
    return await answer(call, (operations, id) => operations.snooze(id, until, actorOn))
  },
}

/** The value of a flag, or null if the flag that takes it back is given. Throws UsageError. */
function oneOf({ flags }: Call, flag: string, back: string): string | null {
  const value = flags.get(flag) ?? null
  if ((value === null) === flags.has(back)) return value
  throw new UsageError(`Give either --${flag} or --${back}.`)
}
