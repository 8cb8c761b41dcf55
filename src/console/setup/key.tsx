import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Answered, Schemas } from '../../client/methods.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { ListLink } from '../lists/list-link.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { WorkspaceLink } from '../parts/names.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { Panel } from '../parts/panel.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading, Refused } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import { RollKeyDialog } from './roll-key-dialog.tsx'

type ApiKey = Answered<Schemas['ApiKey']>

/** The last use changes at most once a minute. */
const everyMs = 6_000

/** Marks the key of the current session. */
export function ThisKey({ of }: { readonly of: Schemas['ApiKey'] }) {
  const { key } = useSession()
  return of.id === key.id ? <Badge value="this key" /> : null
}

export function keyState({ revoked_at, expires_at }: Schemas['ApiKey']): string {
  if (revoked_at !== null) return 'revoked'
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return 'expired'
  return 'active'
}

export function KeyScreen({ id }: { readonly id: string }) {
  const { client } = useSession()
  const key = usePolled(['api-key', id], client.keys.getById, { id }, { everyMs: () => everyMs })
  if (key.data !== undefined) return <Shown of={key.data} />
  if (key.isPending) return <Loading what="the key" />
  return <Failed isScreen error={key.error} again={() => void key.refetch()} />
}

function Shown({ of }: { readonly of: ApiKey }) {
  const [isRevoking, setRevoking] = useState(false)
  const [isRolling, setRolling] = useState(false)
  return (
    <>
      <ScreenHead
        back={<ListLink to="/keys">API keys</ListLink>}
        title={titleOf(of)}
        states={
          <>
            <Badge value={keyState(of)} />
            <ThisKey of={of} />
          </>
        }
      />
      <section className="actions" aria-label="Actions">
        <ActButton
          word="Roll…"
          scope="keys:write"
          isReasonHidden={of.revoked_at !== null}
          refused={whyNotRollable(of)}
          onAct={() => setRolling(true)}
        />
        <ActButton
          word="Revoke…"
          scope="keys:write"
          refused={of.revoked_at === null ? null : 'It is revoked.'}
          onAct={() => setRevoking(true)}
        />
      </section>
      <Panel title="Details" name="Facts">
        <Facts facts={factsOf(of)} />
      </Panel>
      <Panel title="Scopes">
        <ul className="scopes">
          {of.scopes.map((scope) => (
            <li key={scope}>
              <code>{scope}</code>
            </li>
          ))}
        </ul>
      </Panel>
      {isRolling && (
        <RollKeyDialog of={of} called={calledOf(of)} onClose={() => setRolling(false)} />
      )}
      {isRevoking && <RevokeDialog of={of} onClose={() => setRevoking(false)} />}
    </>
  )
}

function titleOf({ name, last4 }: ApiKey): string {
  return name === null ? `Key …${last4}` : `${name} …${last4}`
}

/** Within a sentence. */
function calledOf(of: ApiKey): string {
  return of.name === null ? `the key …${of.last4}` : titleOf(of)
}

function whyNotRollable(of: ApiKey): string | null {
  if (of.revoked_at !== null) return 'It is revoked.'
  if (of.replaced_by_key_id !== null) return 'It was rolled.'
  if (of.from_sign_in) return 'It belongs to a sign-in.'
  return keyState(of) === 'expired' ? 'It has expired.' : null
}

function factsOf(of: ApiKey): readonly Fact[] {
  const { operator_id: operatorId, workspace_id: workspaceId, replaced_by_key_id: nextId } = of
  const time = (at: string | null, otherwise: string) =>
    at === null ? otherwise : <Time at={at} />
  return [
    ['Key', <Copyable key="id" text={of.id} />],
    ['Role', of.role],
    ['Mode', of.livemode ? 'live' : 'test'],
    [
      'Access',
      workspaceId === null ? 'every workspace' : <WorkspaceLink key="reach" id={workspaceId} />,
    ],
    [
      'Belongs to',
      operatorId === null ? (
        'no operator'
      ) : (
        <Link key="operator" href={hrefOf(operatorId)}>
          {operatorId}
        </Link>
      ),
    ],
    ...(nextId === null
      ? []
      : ([
          [
            'Replaced by',
            <Link key="next" href={hrefOf(nextId)}>
              {nextId}
            </Link>,
          ],
        ] as const)),
    ['Created by', <Creator key="creator" of={of} />],
    ['Last used', time(of.last_used_at, 'never')],
    ['Expires', time(of.expires_at, 'never')],
    ['Revoked', time(of.revoked_at, 'no')],
    ['Created', time(of.created_at, 'unknown')],
  ]
}

function Creator({ of }: { readonly of: ApiKey }) {
  const id = of.created_by_operator_id ?? of.created_by_key_id
  return id === null ? 'the command line' : <Link href={hrefOf(id)}>{id}</Link>
}

type RevokeProps = { readonly of: ApiKey; readonly onClose: () => void }

function RevokeDialog({ of, onClose }: RevokeProps) {
  const { client, key } = useSession()
  const queries = useQueryClient()
  const sending = useSendOnce({
    send: () => client.keys.revoke({ id: of.id }),
    onSent: async (revoked) => {
      queries.setQueryData(['api-key', of.id], revoked)
      await queries.invalidateQueries({ queryKey: ['keys'] })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Revoke ${calledOf(of)}?`}
      does="Revoke it"
      isDangerous
      isPending={sending.isPending}
      onConfirm={sending.submit}
      onLeave={onClose}
    >
      <p>
        Programs that use it are refused within 5 seconds. A revoked key cannot be restored.{' '}
        {of.last_used_at === null ? (
          'It was never used.'
        ) : (
          <>
            It was last used at <Time at={of.last_used_at} />.
          </>
        )}
      </p>
      {of.id === key.id && (
        <p>
          <strong>You are signed in with this key.</strong> You will be signed out.
        </p>
      )}
      <Refused error={sending.error} />
    </ConfirmDialog>
  )
}
