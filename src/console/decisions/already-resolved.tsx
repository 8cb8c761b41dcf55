import { useQuery } from '@tanstack/react-query'
import type { Answered, Operation } from '../../client/methods.ts'
import { CloseButton, DialogActions } from '../parts/dialog.tsx'
import { Failed, Loading, Said } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'

type AlreadyResolvedProps = {
  readonly operationId: string
  readonly error: unknown
  readonly onResolved: (operation: Answered<Operation>) => void
}

/**
 * Another operator or a look was faster. Shows the existing decision instead of the attempted one.
 */
export function AlreadyResolved({ operationId, error, onResolved }: AlreadyResolvedProps) {
  const { client } = useSession()
  const query = useQuery({
    queryKey: ['operation', operationId, 'decided'],
    queryFn: ({ signal }) => client.operations.get({ id: operationId }, { signal }),
    gcTime: 0,
    structuralSharing: false,
  })
  const operation = useShown(query)
  if (operation.data === undefined) {
    if (operation.isPending) return <Loading what="the decision" />
    return <Failed error={operation.error} again={() => void operation.refetch()} />
  }
  const { data } = operation
  const { resolution } = data
  return (
    <>
      <div role="alert">
        <Said error={error} />
      </div>
      {resolution !== null && (
        <p>
          <strong>{resolution.decision.replaceAll('_', ' ')}</strong>
          {resolution.guide_number !== null && (
            <>
              , guide <code>{resolution.guide_number}</code>
            </>
          )}
          {resolution.confirmed === false && ' (unconfirmed)'}, by{' '}
          {resolution.decided_by ?? resolution.operator_id ?? resolution.by},{' '}
          <Time at={resolution.at} />
          {resolution.note !== null && <>: {resolution.note}</>}
        </p>
      )}
      <DialogActions>
        <CloseButton onClose={() => onResolved(data)} />
      </DialogActions>
    </>
  )
}
