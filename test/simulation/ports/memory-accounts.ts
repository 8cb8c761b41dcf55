import { LRUCache } from 'lru-cache'
import type { Credentials } from '../../../src/service/couriers/courier.ts'
import { type ReadCache, readThrough } from '../../../src/service/database/read-through.ts'
import type {
  ConnectionPlace,
  CourierAccount,
  CourierAccounts,
} from '../../../src/service/processes/connections/courier-accounts.ts'
import { request } from '../../support/given.ts'

/** The one courier account of a run, as all processes share it and as the courier knows it. */
export type MemoryAccounts = {
  /** The account as seen from one process: changes by others become visible within a second. */
  seen(asked: <T>(effect: () => Promise<T>) => Promise<T>): CourierAccounts
  /** Whether the courier accepts these credentials. */
  takes(credentials: Credentials): boolean
  /** The shop changes its password at the courier but not yet in the service. */
  changePassword(): void
  isParked(): boolean
  /** How often it was parked. */
  parked(): number
  /** The shop gives the service its current password. */
  activate(): void
}

/** As in `processes/connections/courier-accounts.ts`. */
const cached = { max: 10, ttl: 1_000, ttlResolution: 0 }
const username = 'shop'

export function memoryAccounts(): MemoryAccounts {
  let password = 'secret 1'
  let changes = 1
  let parked = 0
  let row: CourierAccount = {
    connectionId: request.courier_connection_id,
    organizationId: request.organization_id,
    workspaceId: request.workspace_id,
    livemode: true,
    providerCode: request.provider_code,
    status: 'active',
    credentialsVersion: 1,
    credentials: { username, password },
  }
  return {
    seen(asked) {
      const cache: ReadCache<CourierAccount> = new LRUCache(cached)
      const load = ({ connectionId }: ConnectionPlace) =>
        readThrough(cache, connectionId, () => asked(async () => row))
      return {
        load,
        loadForReads: load,
        forget: ({ connectionId }) => cache.delete(connectionId),
        async park({ connectionId, credentialsVersion }) {
          await asked(async () => {
            const isThese = row.credentialsVersion === credentialsVersion
            if (!isThese || row.status !== 'active') return
            row = { ...row, status: 'needs_reauth' }
            parked += 1
          })
          cache.delete(connectionId)
        },
      }
    },
    takes: (credentials) => credentials.password === password,
    changePassword() {
      changes += 1
      password = `secret ${changes}`
    },
    parked: () => parked,
    isParked: () => row.status === 'needs_reauth',
    activate() {
      const credentialsVersion = row.credentialsVersion + 1
      row = { ...row, status: 'active', credentialsVersion, credentials: { username, password } }
    },
  }
}
