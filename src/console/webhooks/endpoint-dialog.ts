import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '../../client/create-client.ts'
import type { Answered, Schemas } from '../../client/methods.ts'

/** The props of every dialog about an endpoint. */
export type EndpointDialogProps = {
  readonly endpoint: Answered<Schemas['WebhookEndpoint']>
  readonly onClose: () => void
}

/** Enables a disabled endpoint, because nothing is sent to a disabled one. */
export async function enableEndpoint(client: Client, id: string): Promise<void> {
  await client.webhookEndpoints.update({ id, status: 'enabled' })
}

/**
 * Refreshes what sending to an endpoint changes: its deliveries, and the endpoint if it was
 * enabled.
 */
export async function readAgain(queries: QueryClient, id: string): Promise<void> {
  await queries.invalidateQueries({ queryKey: ['deliveries'] })
  await queries.invalidateQueries({ queryKey: ['endpoint', id] })
}
