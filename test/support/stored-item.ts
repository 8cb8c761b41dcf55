import type { JsonObject } from '../../src/service/domain/decider.ts'
import type { VaultWriter } from '../../src/service/event-store/with-append.ts'
import type { ItemSealer, Vault } from '../../src/service/security/vault/vault.ts'

/** Stores an item of a vault row, without an event. Returns its reference; null if the row is erased. */
export async function storedItem(
  { vault, writer }: { readonly vault: Vault; readonly writer: VaultWriter },
  row: ItemSealer | string,
  content: JsonObject | Buffer,
): Promise<string | null> {
  const { write, beside } = await vault.writer(row)
  const ref = write(content)
  return (await writer.storeItems(beside.items)).includes(false) ? null : ref
}
