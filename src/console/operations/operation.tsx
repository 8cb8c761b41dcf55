import { i18n } from '@lingui/core'
import { Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { Link } from 'wouter'
import type { Answered, Operation } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import type { DecisionDraft } from '../decisions/decision.ts'
import { Resolutions } from '../decisions/resolutions.tsx'
import { ResolveDialog } from '../decisions/resolve-dialog.tsx'
import { ListLink } from '../lists/list-link.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { AgencyLink, ConnectionLink, WorkspaceLink } from '../parts/names.tsx'
import { notify } from '../parts/notify.ts'
import { Panel } from '../parts/panel.tsx'
import { useMay } from '../parts/scopes.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { ServiceText } from '../parts/service-text.tsx'
import { Failed, Loading, Refused } from '../parts/states.tsx'
import { formatDuration, Moment, useClock, useSecondsUntil, Waiting } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import { formatMoney } from '../shipments/money.ts'
import { Candidates } from './candidates.tsx'
import { Evidence } from './evidence.tsx'
import { Exchanges } from './exchanges.tsx'
import { useOpenNext } from './next-operation.tsx'
import { OperationWork } from './operation-work.tsx'
import { WhatToDo } from './what-to-do.tsx'
import { causeText, lookText, marksOf, reviewSentence, typeText } from './why.ts'

/** An open operation changes through the courier's answers and other operators' decisions. */
const openEveryMs = 2_000
/** A resolved one changes only if it is contradicted. */
const resolvedEveryMs = 15_000

/** One operation: what is known, what comes next, and what an operator can do. */
export function OperationScreen({ id }: { readonly id: string }) {
  const { client } = useSession()
  const operation = usePolled(
    ['operation', id],
    client.operations.get,
    { id },
    {
      everyMs: (last) =>
        last === undefined || canBeLookedAt(last) ? openEveryMs : resolvedEveryMs,
    },
  )
  if (operation.data === undefined) {
    if (operation.isPending) return <Loading />
    return <Failed isScreen error={operation.error} again={() => void operation.refetch()} />
  }
  return <Shown operation={operation.data} />
}

function Shown({ operation }: { readonly operation: Answered<Operation> }) {
  const { acts, refusal, dialog, decideFor } = useActs(operation)
  return (
    <>
      <Head operation={operation} acts={acts} isDeciding={dialog !== false} />
      {refusal}
      <div className="split">
        <Stack gap="sm">
          <Candidates key={operation.id} operation={operation} onChoose={decideFor} />
          <Resolutions operation={operation} />
          <Evidence operation={operation} />
          <Exchanges operation={operation} />
        </Stack>
        <Stack gap="sm">
          <Work operation={operation} />
          <Panel title={i18n.t('Details')} name={i18n.t('Facts')}>
            <Facts facts={factsOf(operation)} />
          </Panel>
        </Stack>
      </div>
      {dialog}
    </>
  )
}

type HeadProps = ComponentProps<typeof WhatToDo>

/** What an operator needs to decide: the state, the reason, what to do, and the actions. */
function Head(props: HeadProps) {
  const { operation } = props
  return (
    <>
      <ScreenHead
        back={<ListLink to="/operations">{i18n.t('Operations')}</ListLink>}
        title={<bdi>{operation.external_reference}</bdi>}
        states={
          <>
            {[operation.result ?? operation.status, ...marksOf(operation)].map((value) => (
              <Badge key={value} value={value} />
            ))}
            {operation.status !== 'resolved' && (
              <span className="reason">
                <Waiting at={operation.created_at} workspaceId={operation.workspace_id} />
              </span>
            )}
          </>
        }
      />
      <WhatToDo {...props} />
    </>
  )
}

/** Asking again can confirm the guide of a decision, or show that an extra guide is gone. */
function canBeLookedAt({ status, resolution, surplus_guide_numbers: surplus }: Operation): boolean {
  return status !== 'resolved' || resolution?.confirmed === false || surplus.length > 0
}

function factsOf(operation: Operation): readonly Fact[] {
  const { type, workspace_id: workspaceId, cause, reason_for_review: reason } = operation
  const moment = (at: string | null) =>
    at === null ? null : <Moment at={at} workspaceId={workspaceId} />
  return [
    [
      i18n.t('Type'),
      typeText()[type] ?? <ServiceText key="type">{type.replaceAll('_', ' ')}</ServiceText>,
    ],
    [
      i18n.t('Cause'),
      cause === null
        ? null
        : (causeText()[cause] ?? (
            <ServiceText key="cause">{cause.replaceAll('_', ' ')}</ServiceText>
          )),
    ],
    ...(reason === null
      ? []
      : [[i18n.t('Why it needs review'), <Reason key="reason" {...reason} />] as const]),
    [i18n.t('Asked next'), moment(operation.next_look_at)],
    [i18n.t('Can be concluded from'), moment(operation.settle_until)],
    [i18n.t('Deadline'), moment(operation.deadline_at)],
    [i18n.t('Created'), moment(operation.created_at)],
    [i18n.t('Courier'), <ConnectionLink key="courier" id={operation.courier_connection_id} />],
    [i18n.t('Destination'), <AgencyLink key="agency" id={operation.destination.agency_id} />],
    [i18n.t('Amount'), operation.amount && formatMoney(operation.amount)],
    [i18n.t('Workspace'), <WorkspaceLink key="workspace" id={workspaceId} />],
    [
      i18n.t('Shipment'),
      <Link key="shipment" href={`/shipments/${operation.shipment_id}`}>
        {operation.shipment_id}
      </Link>,
    ],
    [i18n.t('Operation'), <Copyable key="id" text={operation.id} />],
    [i18n.t('Version'), operation.version],
  ]
}

function Reason({ code, text }: NonNullable<Operation['reason_for_review']>) {
  return reviewSentence()[code] ?? <ServiceText>{text}</ServiceText>
}

function Work({ operation }: { readonly operation: Answered<Operation> }) {
  return <OperationWork operation={operation} onChanged={useChanged(operation.id)} />
}

/** Updates every screen after an action. */
function useChanged(id: string) {
  const queries = useQueryClient()
  return (now: Answered<Operation>) => {
    queries.setQueryData(['operation', id], now)
    // A visible list updates by polling; removing its data would scroll it to the top.
    queries.removeQueries({ queryKey: ['operations'], type: 'inactive' })
    void queries.invalidateQueries({ queryKey: ['health'] })
  }
}

/** The actions that are possible now, and the dialog that decides. */
function useActs(operation: Answered<Operation>) {
  const { single } = useSession()
  const [resolving, setResolving] = useState<Partial<DecisionDraft> | null>(null)
  const openNext = useOpenNext()
  const { id } = operation
  const changed = useChanged(id)
  const look = useMutation({
    // Without retries: the button shows when the courier can be asked again.
    mutationFn: () => single.operations.lookAt({ id }),
    onSuccess: (now) => {
      changed(now)
      notify(
        now.external_reference,
        lookText()[now.looks.at(-1)?.answer ?? ''] ?? i18n.t('The courier was asked.'),
      )
    },
  })
  const waitSeconds = useSecondsUntil(allowedAtMs(look))
  const tooEarly = useTooEarly(operation)
  const isOpen = operation.status !== 'resolved'
  const acts = canBeLookedAt(operation) && (
    <section className="actions" aria-label={i18n.t('Actions')}>
      {isOpen && (
        <ActButton
          word={i18n.t('Resolve…')}
          scope="operations:review"
          shortcut="r"
          isPrimary={operation.status === 'needs_review'}
          refused={tooEarly}
          onAct={() => setResolving({})}
        />
      )}
      <ActButton
        word={
          look.isPending
            ? i18n.t('Asking the courier…')
            : waitSeconds > 0
              ? i18n.t('Ask again in {seconds} s', { seconds: waitSeconds })
              : i18n.t('Ask the courier')
        }
        scope="operations:review"
        shortcut="l"
        isPending={look.isPending || waitSeconds > 0}
        onAct={() => look.mutate()}
      />
    </section>
  )
  const dialog = resolving !== null && (
    <ResolveDialog
      operation={operation}
      chosen={resolving}
      onClose={() => setResolving(null)}
      onResolved={changed}
      onDecided={openNext}
    />
  )
  const mayDecide = useMay('operations:review') && isOpen && tooEarly === null
  return {
    acts,
    dialog,
    refusal: <Refused error={isTooSoon(look.error) ? null : look.error} />,
    decideFor: mayDecide ? setResolving : null,
  }
}

/** Why nothing can be decided yet. */
function useTooEarly({ status, settle_until: settles, workspace_id: workspaceId }: Operation) {
  const { now, isRead } = useClock(workspaceId)
  const waitMs = Date.parse(settles) - now
  if (status !== 'reconciling' || !isRead || waitMs <= 0) return null
  return i18n.t('The call may still take effect. A decision is possible in {duration}.', {
    duration: formatDuration(waitMs),
  })
}

/** All operators share one rate limit per operation. */
function isTooSoon(error: unknown): error is ShippingLedgerError {
  return error instanceof ShippingLedgerError && error.reason === 'rate_limited'
}

/** When a rate-limited question is allowed again; null if it is allowed now. */
function allowedAtMs({
  error,
  submittedAt,
}: {
  readonly error: unknown
  readonly submittedAt: number
}): number | null {
  return isTooSoon(error) ? submittedAt + (error.retryAfterMs ?? 0) : null
}
