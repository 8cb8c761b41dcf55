import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Answered, Operation } from '../../client/methods.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { ListLink } from '../parts/list-link.tsx'
import { usePolled } from '../parts/polled.ts'
import { Failed, Loading, Refused } from '../parts/states.tsx'
import { Moment } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { Evidence } from './evidence.tsx'
import { Resolutions } from './resolutions.tsx'
import { ResolveDialog } from './resolve-dialog.tsx'

/** An open operation changes through looks and other operators' decisions. */
const openEveryMs = 2_000
/** A resolved one can still be contradicted. */
const resolvedEveryMs = 15_000

/** One operation: what is known, what comes next, and what an operator can do. */
export function OperationScreen({ id }: { readonly id: string }) {
  const { client } = useSession()
  const operation = usePolled(
    ['operation', id],
    client.operations.get,
    { id },
    {
      everyMs: (last) => (last?.status === 'resolved' ? resolvedEveryMs : openEveryMs),
    },
  )
  if (operation.data === undefined) {
    if (operation.isPending) return <Loading what="the operation" />
    return <Failed isScreen error={operation.error} again={() => void operation.refetch()} />
  }
  const { data } = operation
  return (
    <>
      <header className="screen-head">
        <p>
          <ListLink to="/operations">Operations</ListLink>
        </p>
        <h1>
          <bdi>{data.external_reference}</bdi>
        </h1>
        <p>
          <Badge value={data.status} /> {data.result !== null && <Badge value={data.result} />}{' '}
          {data.contradicted && <Badge value="contradicted" />}{' '}
          {data.escalated && <Badge value="escalated" />}{' '}
          {isUnconfirmed(data) && <Badge value="unconfirmed" />}
        </p>
        {data.reason_for_review !== null && <p>{data.reason_for_review.text}</p>}
      </header>
      <Acts operation={data} />
      <section className="panel" aria-label="Facts">
        <Facts facts={factsOf(data)} />
      </section>
      <Resolutions operation={data} />
      <Evidence operation={data} />
    </>
  )
}

/** Decided for a guide that the courier has not confirmed so far. */
function isUnconfirmed({ resolution }: Operation): boolean {
  return resolution?.confirmed === false
}

function factsOf(operation: Operation): readonly Fact[] {
  const { workspace_id: workspaceId } = operation
  const moment = (at: string | null) =>
    at === null ? null : <Moment at={at} workspaceId={workspaceId} />
  return [
    ['Operation', <Copyable key="id" text={operation.id} />],
    [
      'Shipment',
      <Link key="shipment" href={`/shipments/${operation.shipment_id}`}>
        {operation.shipment_id}
      </Link>,
    ],
    ['Type', operation.type.replaceAll('_', ' ')],
    ['Cause', operation.cause?.replaceAll('_', ' ') ?? null],
    ['Next look', moment(operation.next_look_at)],
    ['Nothing is concluded before', moment(operation.settle_until)],
    ['Deadline', moment(operation.deadline_at)],
    ['Created', moment(operation.created_at)],
    ['Workspace', <Copyable key="workspace" text={workspaceId} />],
    ['Version', operation.version],
  ]
}

function Acts({ operation }: { readonly operation: Answered<Operation> }) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [isResolving, setResolving] = useState(false)
  const { id } = operation
  const changed = (now: Answered<Operation>) => {
    queries.setQueryData(['operation', id], now)
    // A visible list updates by polling; removing its data would scroll it to the top.
    queries.removeQueries({ queryKey: ['operations'], type: 'inactive' })
  }
  const look = useMutation({
    mutationFn: () => client.operations.lookAt({ id }),
    onSuccess: changed,
  })
  const done = operation.status === 'resolved' ? 'It is resolved.' : null
  return (
    <section aria-label="Actions">
      <div className="actions">
        <ActButton
          word={look.isPending ? 'Looking…' : 'Look now'}
          scope="operations:review"
          isPending={look.isPending}
          refused={isUnconfirmed(operation) ? null : done}
          onAct={() => look.mutate()}
        />
        <ActButton
          word="Resolve…"
          scope="operations:review"
          refused={done}
          onAct={() => setResolving(true)}
        />
      </div>
      <Refused error={look.error} />
      {isResolving && (
        <ResolveDialog
          operation={operation}
          onClose={() => setResolving(false)}
          onResolved={changed}
        />
      )}
    </section>
  )
}
