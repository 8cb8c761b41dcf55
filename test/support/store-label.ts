import { byCli } from '../../src/service/cli/acting.ts'
import type { EventStore } from '../../src/service/event-store/event-store.ts'
import { loadShipment, transact } from '../../src/service/event-store/transact.ts'
import type { Vault } from '../../src/service/security/vault/vault.ts'

type Deps = { readonly store: EventStore; readonly vault: Vault }

/** Records this file as the label of a shipment, as if the courier had sent it. */
export async function storeLabel(
  { store, vault }: Deps,
  shipmentId: string,
  bytes: Buffer,
  sizeBytes = bytes.length,
): Promise<void> {
  const snapshot = await loadShipment(store, shipmentId)
  const writer = await vault.writer(snapshot.state?.request.vault_ref ?? '')
  const label = {
    label_ref: writer.write(bytes),
    a4_ref: null,
    content_type: 'application/pdf',
    size_bytes: sizeBytes,
  }
  const by = { actor: byCli.actor, requestId: null, now: Date.now(), from: snapshot }
  await transact(store, shipmentId, { do: 'record_label', label }, { ...by, ...writer })
}
