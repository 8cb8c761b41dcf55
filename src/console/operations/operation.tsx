import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Answered, Operation } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { Resolutions } from '../decisions/resolutions.tsx'
import { ResolveDialog } from '../decisions/resolve-dialog.tsx'
import { ListLink } from '../lists/list-link.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { AgencyLink, ConnectionLink, WorkspaceLink } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading, Refused } from '../parts/states.tsx'
import { Moment, useSecondsUntil } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import { formatMoney } from '../shipments/money.ts'
import { Evidence } from './evidence.tsx'
import { Exchanges } from './exchanges.tsx'
import { useOpenNext } from './next-operation.tsx'
import { notifyOf } from './notify-of.ts'
import { marksOf } from './operation-marks.ts'
import { OperationWork } from './operation-work.tsx'
import { WhatToDo } from './what-to-do.tsx'
import { causeWords, lookWords } from './why.ts'

/** An open operation changes through looks and other operators' decisions. */
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
    if (operation.isPending) return <Loading what="the operation" />
    return <Failed isScreen error={operation.error} again={() => void operation.refetch()} />
  }
  const { data } = operation
  return (
    <>
      <Head operation={data} />
      <div className="split">
        <div className="split-main">
          <Resolutions operation={data} />
          <Evidence operation={data} />
          <Exchanges operation={data} />
        </div>
        <div className="split-side">
          <Work operation={data} />
          <Panel title="Details" name="Facts">
            <Facts facts={factsOf(data)} />
          </Panel>
        </div>
      </div>
    </>
  )
}

/** Everything that decides: the state, why, what to do, and the acts. */
function Head({ operation }: { readonly operation: Answered<Operation> }) {
  const { acts, refusal } = useActs(operation)
  return (
    <>
      <ScreenHead
        back={<ListLink to="/operations">Operations</ListLink>}
        title={<bdi>{operation.external_reference}</bdi>}
        states={[operation.result ?? operation.status, ...marksOf(operation)].map((value) => (
          <Badge key={value} value={value} />
        ))}
      />
      <WhatToDo operation={operation} acts={acts} />
      {refusal}
    </>
  )
}

/** Another look can confirm the guide of a decision, or show that a guide too many is gone. */
function canBeLookedAt({ status, resolution, surplus_guide_numbers: surplus }: Operation): boolean {
  return status !== 'resolved' || resolution?.confirmed === false || surplus.length > 0
}

function factsOf(operation: Operation): readonly Fact[] {
  const { workspace_id: workspaceId, cause } = operation
  const moment = (at: string | null) =>
    at === null ? null : <Moment at={at} workspaceId={workspaceId} />
  return [
    ['Type', operation.type.replaceAll('_', ' ')],
    ['Cause', cause === null ? null : (causeWords[cause] ?? cause)],
    ...(operation.reason_for_review === null
      ? []
      : [['Why a person decides', operation.reason_for_review.text] as const]),
    ['Next look', moment(operation.next_look_at)],
    ['Nothing is concluded before', moment(operation.settle_until)],
    ['Deadline', moment(operation.deadline_at)],
    ['Created', moment(operation.created_at)],
    ['Courier', <ConnectionLink key="courier" id={operation.courier_connection_id} />],
    ['Destination', <AgencyLink key="agency" id={operation.destination.agency_id} />],
    ['Amount', operation.amount && formatMoney(operation.amount)],
    ['Workspace', <WorkspaceLink key="workspace" id={workspaceId} />],
    [
      'Shipment',
      <Link key="shipment" href={`/shipments/${operation.shipment_id}`}>
        {operation.shipment_id}
      </Link>,
    ],
    ['Operation', <Copyable key="id" text={operation.id} />],
    ['Version', operation.version],
  ]
}

function Work({ operation }: { readonly operation: Answered<Operation> }) {
  return <OperationWork operation={operation} onChanged={useChanged(operation.id)} />
}

/** Shows what an act has changed, everywhere. */
function useChanged(id: string) {
  const queries = useQueryClient()
  return (now: Answered<Operation>) => {
    queries.setQueryData(['operation', id], now)
    // A visible list updates by polling; removing its data would scroll it to the top.
    queries.removeQueries({ queryKey: ['operations'], type: 'inactive' })
    void queries.invalidateQueries({ queryKey: ['health'] })
  }
}

function useActs(operation: Answered<Operation>) {
  const { single } = useSession()
  const [isResolving, setResolving] = useState(false)
  const openNext = useOpenNext()
  const { id } = operation
  const changed = useChanged(id)
  const look = useMutation({
    // Without retries: the button says when it may look again.
    mutationFn: () => single.operations.lookAt({ id }),
    onSuccess: (now) => {
      changed(now)
      notifyOf(now, lookWords[now.looks.at(-1)?.answer ?? ''] ?? 'The courier was asked.')
    },
  })
  const waitSeconds = useSecondsUntil(allowedAtMs(look))
  const done = operation.status === 'resolved' ? 'It is resolved.' : null
  const acts = (
    <section className="actions" aria-label="Actions">
      <ActButton
        word="Resolve…"
        scope="operations:review"
        shortcut="r"
        isPrimary={operation.status === 'needs_review'}
        refused={done}
        onAct={() => setResolving(true)}
      />
      <ActButton
        word={
          look.isPending
            ? 'Looking…'
            : waitSeconds > 0
              ? `Look again in ${waitSeconds} s`
              : 'Look now'
        }
        scope="operations:review"
        shortcut="l"
        isPending={look.isPending || waitSeconds > 0}
        refused={canBeLookedAt(operation) ? null : done}
        onAct={() => look.mutate()}
      />
      {isResolving && (
        <ResolveDialog
          operation={operation}
          onClose={() => setResolving(false)}
          onResolved={changed}
          onDecided={openNext}
        />
      )}
    </section>
  )
  return { acts, refusal: <Refused error={isTooSoon(look.error) ? null : look.error} /> }
}

/** All operators share one limit of looks at an operation. */
function isTooSoon(error: unknown): error is ShippingLedgerError {
  return error instanceof ShippingLedgerError && error.reason === 'rate_limited'
}

/** When a look that was refused as too soon is allowed; null: now. */
function allowedAtMs({
  error,
  submittedAt,
}: {
  readonly error: unknown
  readonly submittedAt: number
}): number | null {
  return isTooSoon(error) ? submittedAt + (error.retryAfterMs ?? 0) : null
}
