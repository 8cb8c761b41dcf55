import type { ShippingLedgerError } from './shipping-ledger-error.ts'

/** A resource of a response, a webhook's event or an error. */
type Seen =
  | { readonly version: number | null }
  | { readonly resource: { readonly version: number | null } }
  | Pick<ShippingLedgerError, 'shipmentVersion'>

/**
 * Whether what was seen is newer than what is stored, no matter how it arrived: a response, a
 * webhook or an error. Compare only versions of the same resource.
 *
 * @param stored The stored version, or the stored object; null if nothing is stored yet.
 */
export function isNewer(
  stored: number | { readonly version: number | null } | null | undefined,
  seen: Seen,
): boolean {
  const known = typeof stored === 'number' ? stored : (stored?.version ?? 0)
  return (versionOf(seen) ?? 0) > known
}

function versionOf(seen: Seen): number | null {
  if ('resource' in seen) return seen.resource.version
  return 'version' in seen ? seen.version : seen.shipmentVersion
}
