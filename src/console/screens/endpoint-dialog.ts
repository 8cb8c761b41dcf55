import type { Answered, Schemas } from '../../client/methods.ts'

/** What each dialog about an endpoint is given. */
export type EndpointDialogProps = {
  readonly endpoint: Answered<Schemas['WebhookEndpoint']>
  readonly onClose: () => void
}
