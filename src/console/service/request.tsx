import { i18n } from '@lingui/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { formatNumber } from '../languages/language.ts'
import { ListLink } from '../lists/list-link.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { WorkspaceLink } from '../parts/names.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { Panel } from '../parts/panel.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { ServiceText } from '../parts/service-text.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'
import { type LoggedRequest, StatusCode, tenths } from './requests.tsx'

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
    if (error === null) return <Loading />
    return <Failed isScreen error={error} again={() => void request.refetch()} />
  }
  return (
    <>
      <ScreenHead
        back={<ListLink to="/requests">{i18n.t('Requests')}</ListLink>}
        title={
          <bdi>
            {data.method} {data.route}
          </bdi>
        }
        states={<StatusCode value={data.status} />}
      />
      <Panel title={i18n.t('Details')} name={i18n.t('Facts')}>
        <Facts facts={factsOf(data)} />
      </Panel>
    </>
  )
}

const outcomeText = (): Readonly<Record<string, string>> => ({
  not_executed: i18n.t('The request was not executed.'),
  executed: i18n.t('The request was executed.'),
  unknown: i18n.t(
    'The request may have been executed. Retry it only with the same idempotency key.',
  ),
})

function factsOf(request: LoggedRequest): readonly Fact[] {
  const { reason, outcome, workspace_id: workspaceId, key_id: keyId, represents } = request
  return [
    [i18n.t('Request'), <Copyable key="id" text={request.id} />],
    [i18n.t('Answered'), <Time key="at" at={request.created_at} />],
    [i18n.t('Took'), `${formatNumber(request.duration_ms)} ms`],
    [i18n.t('Reason'), reason],
    [
      i18n.t('Outcome'),
      outcome === null
        ? null
        : (outcomeText()[outcome] ?? <ServiceText key="outcome">{outcome}</ServiceText>),
    ],
    [
      i18n.t('Key'),
      <Link key="key" href={hrefOf(keyId)}>
        {keyId}
      </Link>,
    ],
    [i18n.t('Workspace'), workspaceId && <WorkspaceLink key="workspace" id={workspaceId} />],
    [
      i18n.t('Represents'),
      represents === 1
        ? i18n.t('itself')
        : i18n.t('{count} requests of its second', { count: formatNumber(represents, tenths) }),
    ],
  ]
}
