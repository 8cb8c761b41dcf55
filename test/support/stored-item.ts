import type { JsonObject } from '../../src/service/domain/decider.ts'
import type { ItemSealer, Vault } from '../../src/service/security/vault/vault.ts'

/** Stores an item of a vault row, without an event. Returns its reference; null if the row is erased. */
export async function storedItem(
  vault: Vault,
  row: ItemSealer | string,
  content: JsonObject | Buffer,
): Promise<string | null> {
  const { write, items } = await vault.writer(row)
  const ref = write(content)
  return (await vault.storeItems(items)).includes(false) ? null : ref
}
