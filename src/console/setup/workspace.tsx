import { i18n } from '@lingui/core'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Answered, Schemas } from '../../client/methods.ts'
import { HeldSince, LegalHold } from '../forms/legal-hold.tsx'
import { ListLink } from '../lists/list-link.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { savedFormatText } from '../parts/label-format.ts'
import { Panel } from '../parts/panel.tsx'
import { Needs } from '../parts/scopes.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import { ConnectionsTable } from './connections.tsx'
import { CreateConnectionDialog } from './create-connection-dialog.tsx'
import { RecipientPageDialog, recipientPageText } from './recipient-page-dialog.tsx'
import { ChangeWorkspaceDialog, retentionText } from './workspace-dialogs.tsx'

type Workspace = Answered<Schemas['Workspace']>

/** It rarely changes. */
const everyMs = 6_000

/** One workspace: its settings, its connections, and links to its data. */
export function WorkspaceScreen({ id }: { readonly id: string }) {
  const { client } = useSession()
  const workspace = usePolled(
    ['workspace', id],
    client.workspaces.get,
    { id },
    { everyMs: () => everyMs },
  )
  if (workspace.data !== undefined) return <Shown workspace={workspace.data} />
  if (workspace.isPending) return <Loading />
  return <Failed isScreen error={workspace.error} again={() => void workspace.refetch()} />
}

function Shown({ workspace }: { readonly workspace: Workspace }) {
  const [opened, setOpened] = useState<'change' | 'page' | 'connect' | null>(null)
  const { client } = useSession()
  const [, goTo] = useLocation()
  const close = () => setOpened(null)
  const { id } = workspace
  return (
    <>
      <ScreenHead
        back={<ListLink to="/workspaces">{i18n.t('Workspaces')}</ListLink>}
        title={workspace.name}
      />
      <section className="actions" aria-label={i18n.t('Actions')}>
        <ActButton
          word={i18n.t('Change…')}
          scope="workspaces:write"
          onAct={() => setOpened('change')}
        />
        <ActButton
          word={i18n.t("Recipient's page…")}
          scope="workspaces:write"
          onAct={() => setOpened('page')}
        />
        <LegalHold
          of={workspace}
          api={client.workspaces}
          queryKey="workspace"
          keeps={i18n.t(
            'The personal data of all its current and future shipments is kept. It cannot be erased, and retention is suspended, until you lift the hold.',
          )}
          afterwards={i18n.t(
            'Retention resumes and erases what has become due. Shipments with a hold of their own stay on hold.',
          )}
        />
        <Button component={Link} href={`/shipments?workspace_id=${id}`} variant="default">
          {i18n.t('Shipments')}
        </Button>
        <Button component={Link} href={`/webhooks?workspace_id=${id}`} variant="default">
          {i18n.t('Webhooks')}
        </Button>
      </section>
      <Panel title={i18n.t('Details')} name={i18n.t('Facts')}>
        <Facts facts={factsOf(workspace)} />
      </Panel>
      <Panel
        title={i18n.t('Courier connections')}
        className="listed"
        aside={
          <ActButton
            word={i18n.t('Connect a courier…')}
            scope="connections:write"
            onAct={() => setOpened('connect')}
          />
        }
      >
        <Needs scope="connections:read">
          <ConnectionsTable query={{ workspace_id: id }} isOfWorkspace />
        </Needs>
      </Panel>
      {opened === 'change' && <ChangeWorkspaceDialog workspace={workspace} onClose={close} />}
      {opened === 'page' && <RecipientPageDialog workspace={workspace} onClose={close} />}
      {opened === 'connect' && (
        <CreateConnectionDialog
          workspaceId={id}
          onClose={close}
          onCreated={(connection) => goTo(`/connections/${connection.id}`)}
        />
      )}
    </>
  )
}

function factsOf(workspace: Workspace): readonly Fact[] {
  return [
    [i18n.t('Workspace'), <Copyable key="id" text={workspace.id} />],
    [i18n.t('Reference'), <Copyable key="reference" text={workspace.external_reference} />],
    [i18n.t('Personal data'), retentionText(workspace)],
    [i18n.t('Format of labels'), savedFormatText(workspace.label_format)],
    [i18n.t("Recipient's page"), recipientPageText(workspace)],
    [i18n.t('Legal hold'), <HeldSince key="hold" hold={workspace.legal_hold} />],
    [i18n.t('Created'), <Time key="created" at={workspace.created_at} />],
    [i18n.t('Changed'), <Time key="changed" at={workspace.updated_at} />],
    [i18n.t('Version'), workspace.version],
  ]
}
