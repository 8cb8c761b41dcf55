import { newCommentId } from '../../http/new-ids.ts'
import {
  assignOperation,
  commentOnOperation,
  snoozeOperation,
} from '../../processes/work/operation-work.ts'
import { asRequired, operatorActing } from '../acting.ts'
import { type Call, type Command, commentIn, readTime, UsageError } from '../command.ts'
import { result } from './operations-commands.ts'
import { newComment, operationJson, organizationsOf, startAct } from './platform-operations.ts'

export const operationsAssign: Command = {
  name: 'operations assign',
  summary: 'Assigns an operation to an operator.',
  subject: 'operation id',
  subjectId: 'op',
  flags: {
    to: {
      value: 'OPERATOR',
      id: 'opr',
      description: 'The assignee: an operator of its organization, or of the organization of --as.',
    },
    unassign: { description: 'Remove the assignee.' },
    ...asRequired,
  },
  examples: [
    'operations assign op_4Zb1cD2eF3gH4iJ5kL6mN701 --to opr_9Zb1cD2eF3gH4iJ5kL6mN7 --as opr_4Zb1cD2eF3gH4iJ5kL6mN7',
    'operations assign op_4Zb1cD2eF3gH4iJ5kL6mN701 --unassign --as opr_4Zb1cD2eF3gH4iJ5kL6mN7',
  ],
  run: async (call) => {
    const operatorId = oneOf(call, 'to', 'unassign')
    const actorOn = operatorActing(call)
    const { db, store } = await call.open()
    const act = await startAct({ db, store }, call.subject, actorOn)
    const order = { operatorId, organizationIds: await organizationsOf(db, act) }
    const snapshot = await assignOperation({ db, store }, act, order)
    return result(await operationJson(db, act.operationId, snapshot))
  },
}

export const operationsComment: Command = {
  name: 'operations comment',
  summary: 'Writes a comment on an operation.',
  subject: 'operation id',
  subjectId: 'op',
  flags: {
    text: { value: 'TEXT', required: true, description: 'The comment; stored encrypted.' },
    ...asRequired,
  },
  examples: [
    "operations comment op_4Zb1cD2eF3gH4iJ5kL6mN701 --text 'They call back at nine.' --as opr_4Zb1cD2eF3gH4iJ5kL6mN7",
  ],
  run: async (call) => {
    const text = commentIn(call)
    const actorOn = operatorActing(call)
    const { db, store, vault } = await call.open()
    const act = await startAct({ db, store }, call.subject, actorOn)
    const comment = { commentId: newCommentId(), text }
    const snapshot = await commentOnOperation({ store, vault }, act, comment)
    const written = newComment(snapshot, act.operationId, comment)
    return result(await operationJson(db, act.operationId, snapshot, written))
  },
}

export const operationsSnooze: Command = {
  name: 'operations snooze',
  summary: 'Snoozes an operation until a time. Reconciliation continues.',
  subject: 'operation id',
  subjectId: 'op',
  flags: {
    until: {
      value: 'TIME',
      description: "On the workspace's clock, such as 2027-01-31T00:00:00Z. At most 30 days.",
    },
    end: { description: 'End the snooze now.' },
    ...asRequired,
  },
  examples: [
    'operations snooze op_4Zb1cD2eF3gH4iJ5kL6mN701 --until 2027-01-31T09:00:00Z --as opr_4Zb1cD2eF3gH4iJ5kL6mN7',
  ],
  run: async (call) => {
    const text = oneOf(call, 'until', 'end')
    const until = text === null ? null : readTime('until', text)
    const actorOn = operatorActing(call)
    const { db, store } = await call.open()
    const act = await startAct({ db, store }, call.subject, actorOn)
    const snapshot = await snoozeOperation({ store }, act, until)
    return result(await operationJson(db, act.operationId, snapshot))
  },
}

/**
 * The value of a flag, or null if the opposite flag is given. Throws UsageError unless it is one of
 * the two.
 */
function oneOf({ flags }: Call, flag: string, back: string): string | null {
  const value = flags.get(flag) ?? null
  if ((value === null) === flags.has(back)) return value
  throw new UsageError(`Give either --${flag} or --${back}.`)
}
