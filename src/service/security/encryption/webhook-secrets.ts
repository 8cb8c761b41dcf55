import type { MasterKeys } from './master-keys.ts'
import { openColumn, type Place, rewrapColumn, sealColumn } from './sealed-column.ts'

type EndpointPlace = { readonly organizationId: string; readonly endpointId: string }

function secretPlace(at: EndpointPlace): Place {
  return ['webhook secret v1', at.organizationId, at.endpointId]
}

function excerptPlace(deliveryId: string): Place {
  return ['webhook answer v1', deliveryId]
}

/** Seals and opens the secrets and responses of webhook receivers. */
export type WebhookSealer = {
  /** The content of `webhook_endpoints.secret`: the bytes after `whsec_`. */
  readonly sealSecret: (at: EndpointPlace, secret: Buffer) => Buffer
  /** Throws SealBroken for the secret of another row. */
  readonly openSecret: (at: EndpointPlace, sealed: Buffer) => Buffer
  /** The same under the current master key; null when it already is. */
  readonly rewrapSecret: (at: EndpointPlace, sealed: Buffer) => Buffer | null
  /**
   * Base64. A receiver's response can contain anything, so only the endpoint's owner may read it.
   */
  readonly sealExcerpt: (deliveryId: string, excerpt: string) => string
  readonly openExcerpt: (deliveryId: string, sealed: string) => string
  /** The same under the current master key; null when it already is. */
  readonly rewrapExcerpt: (deliveryId: string, sealed: string) => string | null
}

export function webhookSealer(keys: MasterKeys): WebhookSealer {
  return {
    sealSecret: (at, secret) => sealColumn(keys, secretPlace(at), secret),
    openSecret: (at, sealed) => openColumn(keys, secretPlace(at), sealed),
    rewrapSecret: (at, sealed) => rewrapColumn(keys, secretPlace(at), sealed),
    sealExcerpt: (id, excerpt) =>
      sealColumn(keys, excerptPlace(id), Buffer.from(excerpt)).toString('base64'),
    openExcerpt: (id, sealed) =>
      openColumn(keys, excerptPlace(id), Buffer.from(sealed, 'base64')).toString(),
    rewrapExcerpt: (id, sealed) =>
      rewrapColumn(keys, excerptPlace(id), Buffer.from(sealed, 'base64'))?.toString('base64') ??
      null,
  }
}
