import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '../../client/create-client.ts'
import type { Answered, Schemas } from '../../client/methods.ts'

/** What each dialog about an endpoint is given. */
export type EndpointDialogProps = {
  readonly endpoint: Answered<Schemas['WebhookEndpoint']>
  readonly onClose: () => void
}

/** A disabled endpoint is sent nothing: whoever wants to send to it enables it first. */
export async function enableEndpoint(client: Client, id: string): Promise<void> {
  await client.webhookEndpoints.update({ id, status: 'enabled' })
}

/** What sending to an endpoint changes: its deliveries, and the endpoint itself where it was enabled. */
export async function readAgain(queries: QueryClient, id: string): Promise<void> {
  await queries.invalidateQueries({ queryKey: ['deliveries'] })
  await queries.invalidateQueries({ queryKey: ['endpoint', id] })
}
