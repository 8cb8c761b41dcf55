import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
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
import { roleName } from './role-words.ts'
import { RollKeyDialog } from './roll-key-dialog.tsx'

type ApiKey = Answered<Schemas['ApiKey']>

/** The last use changes at most once a minute. */
const everyMs = 6_000

/** Marks the key of the current session. */
export function ThisKey({ of }: { readonly of: Schemas['ApiKey'] }) {
  const { key } = useSession()
  return of.id === key.id ? <Badge value={i18n.t('this key')} /> : null
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
  if (key.isPending) return <Loading />
  return <Failed isScreen error={key.error} again={() => void key.refetch()} />
}

function Shown({ of }: { readonly of: ApiKey }) {
  const [isRevoking, setRevoking] = useState(false)
  const [isRolling, setRolling] = useState(false)
  return (
    <>
      <ScreenHead
        back={<ListLink to="/keys">{i18n.t('API keys')}</ListLink>}
        title={titleOf(of)}
        states={
          <>
            <Badge value={keyState(of)} />
            <ThisKey of={of} />
          </>
        }
      />
      <section className="actions" aria-label={i18n.t('Actions')}>
        <ActButton
          word={i18n.t('Roll…')}
          scope="keys:write"
          isReasonHidden={of.revoked_at !== null}
          refused={whyNotRollable(of)}
          onAct={() => setRolling(true)}
        />
        <ActButton
          word={i18n.t('Revoke…')}
          scope="keys:write"
          refused={of.revoked_at === null ? null : i18n.t('It is revoked.')}
          onAct={() => setRevoking(true)}
        />
      </section>
      <Panel title={i18n.t('Details')} name={i18n.t('Facts')}>
        <Facts facts={factsOf(of)} />
      </Panel>
      <Panel title={i18n.t('Scopes')}>
        <ul className="scopes">
          {of.scopes.map((scope) => (
            <li key={scope}>
              <code>{scope}</code>
            </li>
          ))}
        </ul>
      </Panel>
      {isRolling && <RollKeyDialog of={of} onClose={() => setRolling(false)} />}
      {isRevoking && <RevokeDialog of={of} onClose={() => setRevoking(false)} />}
    </>
  )
}

function titleOf({ name, last4 }: ApiKey): string {
  return name === null ? i18n.t('Key …{last4}', { last4 }) : `${name} …${last4}`
}

function whyNotRollable(of: ApiKey): string | null {
  if (of.revoked_at !== null) return i18n.t('It is revoked.')
  if (of.replaced_by_key_id !== null) return i18n.t('It was rolled.')
  if (of.from_sign_in) return i18n.t('It belongs to a sign-in.')
  return keyState(of) === 'expired' ? i18n.t('It has expired.') : null
}

function factsOf(of: ApiKey): readonly Fact[] {
  const { operator_id: operatorId, workspace_id: workspaceId, replaced_by_key_id: nextId } = of
  const time = (at: string | null, otherwise: string) =>
    at === null ? otherwise : <Time at={at} />
  return [
    [i18n.t('Key'), <Copyable key="id" text={of.id} />],
    [i18n.t('Role'), roleName(of.role)],
    [i18n.t('Mode'), of.livemode ? i18n.t('live') : i18n.t('test')],
    [
      i18n.t('Access'),
      workspaceId === null ? (
        i18n.t('every workspace')
      ) : (
        <WorkspaceLink key="reach" id={workspaceId} />
      ),
    ],
    [
      i18n.t('Belongs to'),
      operatorId === null ? (
        i18n.t('no operator')
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
            i18n.t('Replaced by'),
            <Link key="next" href={hrefOf(nextId)}>
              {nextId}
            </Link>,
          ],
        ] as const)),
    [i18n.t('Created by'), <Creator key="creator" of={of} />],
    [i18n.t('Last used'), time(of.last_used_at, i18n.t('never'))],
    [i18n.t('Expires'), time(of.expires_at, i18n.t('never'))],
    [i18n.t('Revoked'), time(of.revoked_at, i18n.t('no'))],
    [i18n.t('Created'), time(of.created_at, i18n.t('not known'))],
  ]
}

function Creator({ of }: { readonly of: ApiKey }) {
  const id = of.created_by_operator_id ?? of.created_by_key_id
  return id === null ? i18n.t('the command line') : <Link href={hrefOf(id)}>{id}</Link>
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
      title={
        of.name === null
          ? i18n.t('Revoke the key …{last4}?', { last4: of.last4 })
          : i18n.t('Revoke {name} …{last4}?', { name: of.name, last4: of.last4 })
      }
      does={i18n.t('Revoke it')}
      isDangerous
      isPending={sending.isPending}
      onConfirm={sending.submit}
      onLeave={onClose}
    >
      <p>
        {i18n.t(
          'Programs that use it are refused within 5 seconds. A revoked key cannot be restored.',
        )}{' '}
        {of.last_used_at === null ? (
          i18n.t('It was never used.')
        ) : (
          <Trans id="It was last used at {at}." values={{ at: <Time at={of.last_used_at} /> }} />
        )}
      </p>
      {of.id === key.id && (
        <p>
          <Trans
            id="<strong>You are signed in with this key.</strong> You will be signed out."
            components={{ strong: <strong /> }}
          />
        </p>
      )}
      <Refused error={sending.error} />
    </ConfirmDialog>
  )
}
