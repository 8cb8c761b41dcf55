import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { ListLink } from '../lists/list-link.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { WorkspaceLink } from '../parts/names.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { Panel } from '../parts/panel.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'
import { type LoggedRequest, StatusCode } from './requests.tsx'

/** One request of the last seven days. */
export function RequestScreen({ id }: { readonly id: string }) {
  const { client } = useSession()
  const query = useQuery({
    queryKey: ['request', id],
    queryFn: ({ signal }) => client.requests.get({ id }, { signal }),
  })
  const request = useShown(query, id)
  const { data, error } = request
  if (data === undefined) {
    if (error === null) return <Loading what="the request" />
    return <Failed isScreen error={error} again={() => void request.refetch()} />
  }
  return (
    <>
      <ScreenHead
        back={<ListLink to="/requests">Requests</ListLink>}
        title={
          <bdi>
            {data.method} {data.route}
          </bdi>
        }
        states={<StatusCode value={data.status} />}
      />
      <Panel title="Details" name="Facts">
        <Facts facts={factsOf(data)} />
      </Panel>
    </>
  )
}

const outcomeText: Readonly<Record<string, string>> = {
  not_executed: 'The request was not executed.',
  executed: 'The request was executed.',
  unknown: 'The request may have been executed. Retry it only with the same idempotency key.',
}

function factsOf(request: LoggedRequest): readonly Fact[] {
  const { reason, outcome, workspace_id: workspaceId, key_id: keyId, represents } = request
  return [
    ['Request', <Copyable key="id" text={request.id} />],
    ['Answered', <Time key="at" at={request.created_at} />],
    ['Took', `${request.duration_ms} ms`],
    ['Reason', reason],
    ['Outcome', outcome === null ? null : (outcomeText[outcome] ?? outcome)],
    [
      'Key',
      <Link key="key" href={hrefOf(keyId)}>
        {keyId}
      </Link>,
    ],
    ['Workspace', workspaceId && <WorkspaceLink key="workspace" id={workspaceId} />],
    ['Represents', represents === 1 ? 'itself' : `${represents.toFixed(1)} requests of its second`],
  ]
}
