import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import type { Answered, Operation, Schemas } from '../../client/methods.ts'
import { useDraft } from '../forms/use-draft.ts'
import { ActButton } from '../parts/act-button.tsx'
import { ActSelect } from '../parts/act-select.tsx'
import { Masked, MaskedUntilRevealed, RevealButton } from '../parts/masked.tsx'
import { notify } from '../parts/notify.ts'
import { Panel } from '../parts/panel.tsx'
import { missing, useMay } from '../parts/scopes.tsx'
import { Refused } from '../parts/states.tsx'
import { Far, Time, useNow } from '../parts/times.tsx'
import { useScreenKeys } from '../parts/use-screen-keys.ts'
import { useSession } from '../session.tsx'
import { hourMs, snoozes, useOperatorChoices } from './work-choices.ts'

type WorkProps = {
  readonly operation: Answered<Operation>
  readonly onChanged: (operation: Answered<Operation>) => void
}

/** The API's own limit. */
const commentMax = 2_000

/** The operation's assignee, snooze and comments. */
export function OperationWork({ operation, onChanged }: WorkProps) {
  const mayReview = useMay('operations:review')
  return (
    <Panel title={i18n.t('Work')}>
      <Stack gap="xs">
        {mayReview ? (
          <>
            <Assignee operation={operation} onChanged={onChanged} />
            <Snooze operation={operation} onChanged={onChanged} />
          </>
        ) : (
          <p className="reason">{missing('operations:review')}</p>
        )}
        <Comments operation={operation} />
      </Stack>
    </Panel>
  )
}

function Assignee({ operation, onChanged }: WorkProps) {
  const { client, key } = useSession()
  const { assignee } = operation
  const own = key.operator_id
  const choices = useOperatorChoices(assignee)
  const field = useRef<HTMLSelectElement>(null)
  useScreenKeys([['a', () => field.current?.focus()]])
  const assign = useMutation({
    mutationFn: (operatorId: string) =>
      client.operations.assign({
        id: operation.id,
        operator_id: operatorId === '' ? null : operatorId,
      }),
    onSuccess: (now) => {
      onChanged(now)
      const name = now.assignee?.name ?? now.assignee?.operator_id
      notify(
        now.external_reference,
        name === undefined
          ? i18n.t('No longer assigned.')
          : i18n.t('Assigned to {name}.', { name }),
      )
    },
  })
  return (
    <>
      <ActSelect
        ref={field}
        label={i18n.t('Assigned to')}
        shortcut="a"
        value={assignee?.operator_id ?? ''}
        isPending={assign.isPending}
        onAct={(operatorId) => assign.mutate(operatorId)}
        data={[{ value: '', label: i18n.t('Unassigned') }, ...choices]}
      />
      {own !== null && own !== assignee?.operator_id && (
        <ActButton
          word={i18n.t('Assign to me')}
          scope="operations:review"
          isPending={assign.isPending}
          onAct={() => assign.mutate(own)}
        />
      )}
      <Refused error={assign.error} />
    </>
  )
}

function Snooze({ operation, onChanged }: WorkProps) {
  const { client } = useSession()
  const { snoozed_until: snoozed, workspace_id: workspaceId } = operation
  const now = useNow(workspaceId)
  const isSnoozed = snoozed !== null && Date.parse(snoozed) > now
  const snooze = useMutation({
    mutationFn: (hours: string) =>
      client.operations.snooze({
        id: operation.id,
        until: hours === '' ? null : new Date(now + Number(hours) * hourMs).toISOString(),
      }),
    onSuccess: (now, hours) => {
      onChanged(now)
      const chosen = snoozes.find((each) => String(each.hours) === hours)
      notify(now.external_reference, chosen?.done() ?? i18n.t('No longer snoozed.'))
    },
  })
  if (operation.status === 'resolved') return null
  return (
    <>
      <ActSelect
        label={i18n.t('Snooze')}
        value={isSnoozed ? 'now' : ''}
        isPending={snooze.isPending}
        onAct={(hours) => snooze.mutate(hours)}
        data={[
          ...(isSnoozed
            ? [{ value: 'now', label: i18n.t('Snoozed for now'), disabled: true }]
            : []),
          { value: '', label: isSnoozed ? i18n.t('Stop snoozing') : i18n.t('Not snoozed') },
          ...snoozes.map(({ hours, word }) => ({ value: String(hours), label: word() })),
        ]}
      />
      {isSnoozed && (
        <p className="reason">
          <Trans
            id="Hidden from the work list until {time}, {far}."
            values={{
              time: <Time at={snoozed} />,
              far: <Far at={snoozed} workspaceId={workspaceId} />,
            }}
          />
        </p>
      )}
      <Refused error={snooze.error} />
    </>
  )
}

/** Comments may contain personal data, so they are masked at first, like notes. */
function Comments({ operation }: { readonly operation: Operation }) {
  const { comments } = operation
  const [own, setOwn] = useState<ReadonlySet<string>>(new Set())
  return (
    <MaskedUntilRevealed>
      {comments.length > 0 && (
        <>
          <RevealButton
            word={comments.length === 1 ? i18n.t('Show the comment') : i18n.t('Show the comments')}
          />
          <Stack component="ol" gap="xs">
            {comments.map((comment) => (
              <li key={comment.id}>
                <Text c="dimmed" fz="sm" mb={0}>
                  <strong>{authorOf(comment)}</strong> <Time at={comment.created_at} />
                </Text>
                <p className="words">
                  {own.has(comment.id) ? comment.text : <Masked value={comment.text} />}
                </p>
              </li>
            ))}
          </Stack>
        </>
      )}
      <NewComment
        key={operation.id}
        operationId={operation.id}
        onWritten={(id) => setOwn((before) => new Set(before).add(id))}
      />
    </MaskedUntilRevealed>
  )
}

function authorOf({ by }: Schemas['OperationComment']): string {
  return by.name ?? by.operator_id ?? by.key_id ?? i18n.t('the command line')
}

type NewCommentProps = {
  readonly operationId: string
  /** Called with the user's own comment, which is not masked. */
  readonly onWritten: (commentId: string) => void
}

function NewComment({ operationId, onWritten }: NewCommentProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [text, setText, forgetText] = useDraft(`comment on ${operationId}`, '')
  const write = useMutation({
    mutationFn: () => client.operations.createComment({ id: operationId, text: text.trim() }),
    onSuccess: async ({ id }) => {
      forgetText()
      onWritten(id)
      await queries.invalidateQueries({ queryKey: ['operation', operationId] })
    },
  })
  const act = () => {
    if (text.trim() !== '' && !write.isPending) write.mutate()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    act()
  }
  return (
    <Stack component="form" gap="xs" onSubmit={submit}>
      <Textarea
        size="xs"
        label={i18n.t('Comment')}
        rows={2}
        maxLength={commentMax}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className="actions">
        <ActButton
          word={i18n.t('Add the comment')}
          scope="operations:review"
          isPending={write.isPending || text.trim() === ''}
          onAct={act}
        />
      </div>
      <Refused error={write.error} />
    </Stack>
  )
}
