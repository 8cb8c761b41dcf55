import { randomBytes } from 'node:crypto'
import { loadShipment } from '../../src/service/event-store/transact.ts'
import { erasePersonalData } from '../../src/service/processes/erasure/erasure.ts'
import { unwrapKey, wrapKey } from '../../src/service/security/encryption/encryption.ts'
import { type MasterKeys, masterKeys } from '../../src/service/security/encryption/master-keys.ts'
import { ownerParts } from '../../src/service/security/vault/vault.ts'
import type { MemoryAccounts } from './ports/memory-accounts.ts'
import type { MemoryVaultRows } from './ports/memory-vault-rows.ts'
import { ask, type Counter } from './shops.ts'
import type { World } from './virtual-time.ts'

/** How often an erasure is requested until it succeeds. */
const askedMax = 20

/** Requests erasures while everything else continues. */
export async function eraseSome(
  world: World,
  counter: Counter & { readonly known: () => readonly string[] },
): Promise<void> {
  const persons = world.happens(0.5) ? Math.ceil(world.between(0, 4)) : 0
  await Promise.all(
    Array.from({ length: persons }, async (_, person) => {
      await world.sleep(world.between(1_000, 45_000))
      const known = counter.known()
      const shipmentId = known[Math.floor(world.chance() * known.length)]
      if (shipmentId !== undefined) await erase(world, counter, shipmentId, `req_erase_${person}`)
    }),
  )
}

async function erase(
  world: World,
  counter: Counter,
  shipmentId: string,
  requestId: string,
): Promise<void> {
  for (let times = 0; times < askedMax; times++) {
    const erased = await ask(world, counter, async ({ deps }) => {
      const snapshot = await loadShipment(deps.store, shipmentId)
      const now = Date.now()
      const actor = { type: 'api_key', keyId: 'key_1' } as const
      const order = { shipmentId, snapshot, because: 'request', actor, requestId, now } as const
      return await erasePersonalData(deps, order)
    })
    if (typeof erased === 'object' && erased.kind === 'erased') {
      const vaultRef = erased.snapshot.state?.request.vault_ref ?? ''
      const open = await ask(world, counter, ({ deps }) => deps.vault.open(vaultRef))
      if (open !== null && open !== 'later')
        counter.violate('a person reported as erased is readable')
      return
    }
    await world.sleep(world.between(100, 5_000))
  }
}

/** Changes passwords at the courier, and activates parked accounts after a while. */
export async function lookAfter(
  world: World,
  accounts: MemoryAccounts,
  signal: AbortSignal,
): Promise<void> {
  const changeAt = world.happens(0.5) ? world.between(500, 40_000) : Number.POSITIVE_INFINITY
  let isChanged = false
  for (;;) {
    await world.sleep(world.between(500, 12_000))
    if (signal.aborted) return
    if (!isChanged && world.elapsed() >= changeAt) {
      isChanged = true
      accounts.changePassword()
    }
    if (accounts.isParked()) accounts.activate()
  }
}

/** Rewraps each row under the new key while everything else continues. */
export async function rewrapAll(
  world: World,
  rows: MemoryVaultRows,
  keys: MasterKeys,
): Promise<void> {
  for (const ref of [...rows.rows.keys()]) {
    await world.sleep(world.between(1, 200))
    // A row is locked from its read until its write.
    const row = rows.rows.get(ref)
    if (row === undefined) continue
    const parts = ownerParts(row, ref)
    rows.rewrap(ref, { ...row, ...wrapKey(keys, unwrapKey(keys, row, parts), parts) })
  }
}

export function newMasterKeys(): MasterKeys {
  return masterKeys(randomBytes(32).toString('base64'))
}

/** Sets the clock in the middle of the run. */
export async function moveClock(world: World): Promise<void> {
  await world.sleep(world.between(500, 30_000))
  world.setClock(world.happens(0.5) ? world.between(100, 60_000) : -world.between(1, 1_500))
}
