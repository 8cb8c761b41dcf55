import { i18n } from '@lingui/core'
import IconPlugConnectedX from '@tabler/icons-react/icons/IconPlugConnectedX'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answered, Schemas } from '../../client/methods.ts'
import { ListLink } from '../lists/list-link.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { WorkspaceLink } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading, Refused } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import {
  EnableDialog,
  ReauthoriseDialog,
  RemoveConnectionDialog,
  RenameDialog,
  showConnection,
} from './connection-dialogs.tsx'

type Connection = Answered<Schemas['CourierConnection']>

/** The courier may refuse its credentials at any time. */
const everyMs = 5_000

const dialogs = {
  rename: RenameDialog,
  reauthorise: ReauthoriseDialog,
  enable: EnableDialog,
  remove: RemoveConnectionDialog,
} as const

/** One courier connection: its state and the actions on it. */
export function ConnectionScreen({ id }: { readonly id: string }) {
  const { client } = useSession()
  const connection = usePolled(
    ['connection', id],
    client.courierConnections.get,
    { id },
    { everyMs: () => everyMs },
  )
  if (connection.data !== undefined) return <Shown connection={connection.data} />
  if (connection.isPending) return <Loading />
  return <Failed isScreen error={connection.error} again={() => void connection.refetch()} />
}

function Shown({ connection }: { readonly connection: Connection }) {
  const [opened, setOpened] = useState<keyof typeof dialogs | null>(null)
  const Opened = opened === null ? null : dialogs[opened]
  const { status } = connection
  return (
    <>
      <ScreenHead
        back={<ListLink to="/connections">{i18n.t('Courier connections')}</ListLink>}
        title={connection.display_name}
        states={<Badge value={status} />}
      />
      {status === 'needs_reauth' && <NeedsCredentials />}
      <Acts connection={connection} onOpen={setOpened} />
      <Panel title={i18n.t('Details')} name={i18n.t('Facts')}>
        <Facts facts={factsOf(connection)} />
      </Panel>
      {Opened !== null && <Opened connection={connection} onClose={() => setOpened(null)} />}
    </>
  )
}

function NeedsCredentials() {
  return (
    <section className="what-to-do" data-tone="bad" aria-label={i18n.t('Connection health')}>
      <IconPlugConnectedX size={22} className="what-icon" aria-hidden />
      <div>
        <p className="what">{i18n.t('The courier refuses these credentials.')}</p>
        <p className="what-next">
          {i18n.t('New shipments with this connection are refused until it has new credentials.')}
        </p>
      </div>
    </section>
  )
}

type ActsProps = {
  readonly connection: Connection
  readonly onOpen: (dialog: keyof typeof dialogs) => void
}

function Acts({ connection, onOpen }: ActsProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const { id, status } = connection
  const verify = useMutation({
    mutationFn: () => client.courierConnections.verify({ id }),
    onSuccess: (verified) => showConnection(queries, verified),
  })
  const button = (word: string, dialog: keyof typeof dialogs, isPrimary = false) => (
    <ActButton
      word={word}
      scope="connections:write"
      isPrimary={isPrimary}
      onAct={() => onOpen(dialog)}
    />
  )
  return (
    <>
      <section className="actions" aria-label={i18n.t('Actions')}>
        <ActButton
          word={verify.isPending ? i18n.t('Asking the courier…') : i18n.t('Verify')}
          scope="connections:write"
          isPending={verify.isPending}
          onAct={() => verify.mutate()}
        />
        {button(i18n.t('New credentials…'), 'reauthorise', status === 'needs_reauth')}
        {button(i18n.t('Rename…'), 'rename')}
        {button(status === 'disabled' ? i18n.t('Enable…') : i18n.t('Disable…'), 'enable')}
        {button(i18n.t('Remove…'), 'remove')}
        {verify.data !== undefined && (
          <span role="status" className="reason">
            {verify.data.verified_at === null
              ? i18n.t('The courier refused the credentials.')
              : i18n.t('The courier accepted the credentials.')}
          </span>
        )}
      </section>
      <Refused error={verify.error} />
    </>
  )
}

function factsOf(connection: Connection): readonly Fact[] {
  const { verified_at: verifiedAt } = connection
  return [
    [i18n.t('Connection'), <Copyable key="id" text={connection.id} />],
    [i18n.t('Courier'), <code key="courier">{connection.provider_code}</code>],
    [i18n.t('Workspace'), <WorkspaceLink key="workspace" id={connection.workspace_id} />],
    [
      i18n.t('Verified'),
      verifiedAt === null ? i18n.t('not yet') : <Time key="verified" at={verifiedAt} />,
    ],
    [i18n.t('Created'), <Time key="created" at={connection.created_at} />],
    [i18n.t('Changed'), <Time key="changed" at={connection.updated_at} />],
    [i18n.t('Version'), connection.version],
  ]
}
