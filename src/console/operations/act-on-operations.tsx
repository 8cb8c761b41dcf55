import { useQueryClient } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import type { Client } from '../../client/create-client.ts'
import type { Operation } from '../../client/methods.ts'
import { ActOnChosen } from '../lists/act-on-chosen.tsx'
import { useSession } from '../session.tsx'

type Act = ComponentProps<typeof ActOnChosen<Operation>>
type ActProps = Omit<Act, 'chosen' | 'noun' | 'nameOf' | 'onDone'> & {
  readonly operations: readonly Operation[]
}

/** Does one act to each of several operations. It ends once the lists and counts show it. */
export function ActOnOperations({ operations, ...act }: ActProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  return (
    <ActOnChosen
      {...act}
      chosen={operations}
      noun="operation"
      nameOf={(operation) => operation.external_reference}
      onDone={async (lastChanged) => {
        await untilListed(client, lastChanged)
        await Promise.all(
          [['operations'], ['statistics', 'operations']].map((queryKey) =>
            queries.invalidateQueries({ queryKey }),
          ),
        )
      }}
    />
  )
}

/** Lists follow the events in their order and lag by moments: usually one read, or two. */
const listedEveryMs = 250
/** Five seconds. If the lists are further behind, they say so themselves. */
const listedTriesMax = 20

/** Waits until the lists have reached this operation, which changed last, but not forever. */
async function untilListed(client: Client, changed: Operation | null): Promise<void> {
  if (changed === null) return
  const { id, shipment_id, version } = changed
  for (let tries = 0; tries < listedTriesMax; tries++) {
    const { data } = await client.operations.list({ shipment_id })
    if (data.some((listed) => listed.id === id && listed.version >= version)) return
    await new Promise((resolve) => setTimeout(resolve, listedEveryMs))
  }
}
