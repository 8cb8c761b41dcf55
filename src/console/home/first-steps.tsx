import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { VisuallyHidden } from '@mantine/core'
import IconCheck from '@tabler/icons-react/icons/IconCheck'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Client } from '../../client/create-client.ts'
import { beginPlay, type Place, type Play, playCall } from '../../client/play-scenario.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Panel } from '../parts/panel.tsx'
import { Refused } from '../parts/states.tsx'
import { useDamageReason } from '../reading/use-health.ts'
import { useSession } from '../session.tsx'
import { CreateConnectionDialog } from '../setup/create-connection-dialog.tsx'
import { CreateWorkspaceDialog } from '../setup/workspace-dialogs.tsx'
import type { FirstSteps } from './use-first-steps.ts'

type Opened = 'workspace' | 'connection' | null

type StepsProps = {
  readonly steps: FirstSteps
  /** A shipment exists. The steps stay only to show what was just created here. */
  readonly isOver: boolean
}

/** The steps to an organization's first guide, each done in place. */
export function FirstStepsPanel({ steps, isOver }: StepsProps) {
  const { made, sending } = useFirstShipment(steps.connection)
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => setOpened(null)
  if (isOver && made === null && !sending.isPending) return null
  const done = [steps.workspace, steps.connection, made].filter((one) => one !== null).length
  return (
    <Panel
      title={i18n.t('Get started')}
      className="get-started"
      aside={<Progress done={done} isOpen={opened !== null} />}
    >
      <ol className="first-steps">
        <WorkspaceStep {...steps} onOpen={() => setOpened('workspace')} />
        <ConnectionStep {...steps} onOpen={() => setOpened('connection')} />
        <ShipmentStep {...steps} made={made} sending={sending} />
      </ol>
      {opened === 'workspace' && <CreateWorkspaceDialog onClose={close} onCreated={close} />}
      {opened === 'connection' && (
        <CreateConnectionDialog
          workspaceId={steps.workspace?.id ?? null}
          onClose={close}
          onCreated={close}
        />
      )}
    </Panel>
  )
}

type ProgressProps = { readonly done: number; readonly isOpen: boolean }

/** The button of a step disappears when the step is done, so the focus moves here. */
function Progress({ done, isOpen }: ProgressProps) {
  const shown = useRef<HTMLParagraphElement>(null)
  const before = useRef({ done, isOpen })
  useEffect(() => {
    const isChanged = before.current.done !== done || before.current.isOpen !== isOpen
    before.current = { done, isOpen }
    const { activeElement, body } = document
    const isLost = activeElement === body || activeElement?.id === 'screen'
    if (isChanged && isLost) shown.current?.focus()
  }, [done, isOpen])
  return (
    <p className="reason" role="status" tabIndex={-1} ref={shown}>
      {i18n.t('{done} of 3 done', { done })}
    </p>
  )
}

type StepProps = {
  readonly number: number
  readonly title: string
  readonly isDone: boolean
  /** Its purpose, or its result. */
  readonly children: ReactNode
  readonly act?: ReactNode
}

function Step({ number, title, isDone, children, act }: StepProps) {
  return (
    <li data-done={isDone}>
      <span className="step-mark" aria-hidden>
        {isDone ? <IconCheck size={16} /> : number}
      </span>
      <div>
        <strong>{title}</strong>
        {isDone && <VisuallyHidden> {i18n.t('(done)')}</VisuallyHidden>}
        <div className="step-words">{children}</div>
      </div>
      {!isDone && act !== undefined && <div className="actions">{act}</div>}
    </li>
  )
}

type DoneProps = FirstSteps & { readonly onOpen: () => void }

function WorkspaceStep({ workspace, onOpen }: DoneProps) {
  return (
    <Step
      number={1}
      title={i18n.t('Create a workspace')}
      isDone={workspace !== null}
      act={
        <ActButton
          word={i18n.t('Create a workspace…')}
          scope="workspaces:write"
          isPrimary
          onAct={onOpen}
        />
      }
    >
      {workspace === null ? (
        i18n.t('One for each shop. It holds the shop’s connections, shipments and webhooks.')
      ) : (
        <Link href={`/workspaces/${workspace.id}`}>{workspace.name}</Link>
      )}
    </Step>
  )
}

function ConnectionStep({ workspace, connection, onOpen }: DoneProps) {
  const { key } = useSession()
  const account = key.livemode
    ? i18n.t('Your account with the courier. The credentials are encrypted and never shown again.')
    : i18n.t('In test mode the simulated courier answers, so you need no account.')
  return (
    <Step
      number={2}
      title={i18n.t('Connect a courier')}
      isDone={connection !== null}
      act={
        <ActButton
          word={i18n.t('Connect a courier…')}
          scope="connections:write"
          isPrimary={workspace !== null}
          refused={workspace === null ? i18n.t('First create a workspace.') : null}
          onAct={onOpen}
        />
      }
    >
      {connection === null ? (
        account
      ) : (
        <Link href={`/connections/${connection.id}`}>{connection.name}</Link>
      )}
    </Step>
  )
}

type ShipmentProps = FirstSteps & ReturnType<typeof useFirstShipment>

function ShipmentStep({ connection, made, sending }: ShipmentProps) {
  const damage = useDamageReason()
  const { key } = useSession()
  if (key.livemode) {
    return (
      <Step number={3} title={i18n.t('Create a shipment')} isDone={false}>
        <Trans
          id="A live shipment is a real parcel, so a program creates it over the API: {docs}."
          values={{ docs: <a href="/docs">{i18n.t('read how')}</a> }}
        />
      </Step>
    )
  }
  return (
    <Step
      number={3}
      title={i18n.t('Create a test shipment')}
      isDone={made !== null}
      act={
        <ActButton
          word={sending.isPending ? i18n.t('Creating…') : i18n.t('Create a test shipment')}
          scope="shipments:write"
          isPrimary={connection !== null}
          isPending={sending.isPending}
          refused={connection === null ? i18n.t('First connect a courier.') : damage}
          onAct={sending.submit}
        />
      }
    >
      {made === null ? (
        <>
          {i18n.t(
            'An example parcel between two agencies of the simulated courier. No real guide is created.',
          )}
          <Refused error={sending.error} />
        </>
      ) : (
        <Guide of={made} />
      )}
    </Step>
  )
}

function Guide({ of }: { readonly of: FirstGuide }) {
  const { shipmentId, guideNumber } = of
  return (
    <>
      {guideNumber === null ? (
        i18n.t('The shipment is created.')
      ) : (
        <Trans
          id="The courier issued the guide <code>{guide}</code>."
          values={{ guide: guideNumber }}
          components={{ code: <code /> }}
        />
      )}{' '}
      <Link href={`/shipments/${shipmentId}`}>{i18n.t('See its label, tracking and history')}</Link>
    </>
  )
}

/** The scenario in which nothing goes wrong. */
const firstScenario = 'happy_path'

type FirstGuide = { readonly shipmentId: string; readonly guideNumber: string | null }

/** Creates the first test shipment. Pressing again does not create another. */
function useFirstShipment(connection: FirstSteps['connection']) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [made, setMade] = useState<FirstGuide | null>(null)
  const begun = useRef<Play>(null)
  const sending = useSendOnce({
    send: async () => {
      if (connection === null) throw new Error(i18n.t('A shipment needs a courier connection.'))
      const place = { workspaceId: connection.workspaceId, connectionId: connection.id }
      begun.current ??= await beginFirst(client, place)
      return await createFirst(client, begun.current)
    },
    onSent: async (guide) => {
      setMade(guide)
      await queries.invalidateQueries({ queryKey: ['shipments'] })
    },
  })
  return { made, sending }
}

async function beginFirst(client: Client, place: Place): Promise<Play> {
  const { data } = await client.sandbox.listScenarios()
  const scenario = data.find(({ name }) => name === firstScenario)
  if (scenario === undefined)
    throw new Error(i18n.t('The service has no scenario {name}.', { name: firstScenario }))
  return await beginPlay(client, scenario, place)
}

async function createFirst(client: Client, play: Play): Promise<FirstGuide> {
  const [call] = play.scenario.calls
  if (call === undefined)
    throw new Error(i18n.t('The scenario {name} has no call.', { name: firstScenario }))
  const { shipmentId, answers } = await playCall(client, play, call)
  if (shipmentId === null) {
    throw answers.at(-1)?.error ?? new Error(i18n.t('No shipment was created.'))
  }
  const { guide_number: guideNumber } = await client.shipments.get({ id: shipmentId })
  return { shipmentId, guideNumber }
}
