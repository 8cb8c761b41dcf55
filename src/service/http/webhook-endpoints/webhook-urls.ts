import type { UrlRefusal } from '../../webhooks/egress/egress.ts'

/** What a client is told about a refused URL. */
export const refusedUrls: Readonly<Record<UrlRefusal, string>> = {
  not_a_url: 'It is not an absolute URL.',
  too_long: 'The URL is too long.',
  not_http: 'Only http and https URLs can be called.',
  not_https: 'In live mode only https URLs are called.',
  has_credentials: 'URLs with credentials are not allowed. Verify the signature instead.',
  has_fragment: 'A fragment is never sent. Leave it out.',
  bad_port: 'Port 0 is not valid.',
  not_a_host: 'It does not name a host.',
  private_address: 'The address is private, loopback, link-local or reserved.',
  private_name: 'The name does not resolve to an address on the public internet.',
}
