import { Problem } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import { checkWebhookUrl, type UrlRefusal } from '../../webhooks/egress/egress.ts'
import type { ApiServices } from '../api-services.ts'

/** Refuses a URL that webhooks of the key's mode cannot be sent to. */
export function requireWebhookUrl(
  { allowPrivateWebhooks }: Pick<ApiServices, 'allowPrivateWebhooks'>,
  { livemode }: Principal,
  url: string,
): void {
  const reason = checkWebhookUrl(url, { livemode, allowPrivate: allowPrivateWebhooks })
  if (reason === null) return
  throw new Problem('validation_failed', {
    errors: [{ pointer: '/url', reason, detail: refusalTexts[reason] }],
  })
}

const refusalTexts: Readonly<Record<UrlRefusal, string>> = {
  not_a_url: 'It is not an absolute URL.',
  too_long: 'The URL is too long.',
  not_http: 'Only http and https URLs can be called.',
  not_https: 'In live mode only https URLs can be called.',
  has_credentials: 'URLs with credentials are not allowed. Verify the signature instead.',
  has_fragment: 'A fragment is never sent. Leave it out.',
  bad_port: 'Port 0 is not valid.',
  not_a_host: 'It does not name a host.',
  private_address: 'The address is private, loopback, link-local or reserved.',
  private_name: 'The name does not resolve to an address on the public internet.',
}
