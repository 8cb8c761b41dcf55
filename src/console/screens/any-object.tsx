import { useQuery } from '@tanstack/react-query'
import { Redirect } from 'wouter'
import { hrefOf } from '../parts/object-links.ts'
import { readOf } from '../parts/read-any.ts'
import { useShown } from '../parts/recovery.ts'
import { Failed, Loading, NotFound } from '../parts/states.tsx'
import { useSession } from '../session.tsx'

/** Shows the API's JSON of an object that has an id but no screen of its own. */
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
  // The object's own screen masks personal data.
  if (!hrefOf(id).startsWith('/objects/')) return <Redirect to={hrefOf(id)} replace />
  if (read === null) return <NotFound isScreen />
  if (object.isPending) return <Loading what={id} />
  if (object.error !== null)
    return <Failed isScreen error={object.error} again={() => void object.refetch()} />
  return (
    <>
      <h1>{id}</h1>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
      <pre className="panel json" tabIndex={0}>
        {JSON.stringify(object.data, null, 2)}
      </pre>
    </>
  )
}
