import { i18n } from '@lingui/core'
import { useQuery } from '@tanstack/react-query'
import { Redirect } from 'wouter'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { JsonView } from '../parts/json-view.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading, NotFound } from '../parts/states.tsx'
import { readOf } from '../reading/read-any.ts'
import { useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'

/** The JSON of an object that has no screen of its own. */
export function AnyObject({ id }: { readonly id: string }) {
  const { client } = useSession()
  const read = readOf(id)
  const query = useQuery({
    queryKey: ['object', id],
    queryFn: ({ signal }) => read?.(client, id, signal) ?? null,
    enabled: read !== null && hrefOf(id).startsWith('/objects/'),
    gcTime: 0,
  })
  const object = useShown(query)
  // Objects with a screen are shown there, because it masks personal data.
  if (!hrefOf(id).startsWith('/objects/')) return <Redirect to={hrefOf(id)} replace />
  if (read === null) return <NotFound isScreen />
  if (object.isPending) return <Loading />
  if (object.error !== null)
    return <Failed isScreen error={object.error} again={() => void object.refetch()} />
  const { status } = (object.data ?? {}) as { readonly status?: unknown }
  return (
    <>
      <ScreenHead
        title={titleOf(object.data ?? {}) ?? id}
        states={typeof status === 'string' && <Badge value={status} />}
      >
        <p>
          <Copyable text={id} />
        </p>
      </ScreenHead>
      <JsonView value={object.data} name={i18n.t('the object')} />
    </>
  )
}

/** The object's own name, if it has one. */
function titleOf(object: object): string | null {
  const { name, display_name, type } = object as Record<string, unknown>
  const title = [name, display_name, type].find((one) => typeof one === 'string')
  return typeof title === 'string' ? title : null
}
