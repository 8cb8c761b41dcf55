import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../client/methods.ts'
import { useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'

export type Courier = Schemas['Courier']

/** The API's largest page; a key can use only a few couriers. */
const couriersMax = 100

export function useCouriers() {
  const { client } = useSession()
  const query = useQuery({
    queryKey: ['couriers'],
    queryFn: async ({ signal }) =>
      (await client.couriers.list({ limit: couriersMax }, { signal })).data,
  })
  return useShown(query)
}
