import { randomBytes } from 'node:crypto'
import t from 'tap'
import { pool as openPool } from '../../src/service/database/pool.ts'
import { masterKeys } from '../../src/service/security/encryption/master-keys.ts'
import { Vault } from '../../src/service/security/vault/vault.ts'
import { postgresVaultRows } from '../../src/service/security/vault/vault-statements.ts'
import { BatchedVaultWriter } from '../../src/service/security/vault/vault-writer.ts'
import { crashableServer } from '../support/crashable-server.ts'
import { noLog } from '../support/no-log.ts'
import { storedItem } from '../support/stored-item.ts'
import { storeRow } from '../support/stored-row.ts'

const secretsKey = randomBytes(32).toString('base64')
const crashes = 3
const owner = { organizationId: 'org_a', workspaceId: 'ws_a', shipmentId: 'shp_a' }
const person = { recipient: { first_name: 'Rosa' } }
const pickup = { pickup_code: '4711' }

t.test('confirmed vault writes survive a database crash right after them', async (t) => {
  const database = await crashableServer(t)
  for (let n = 0; n < crashes; n++) {
    const connections = openPool({ connectionString: database.url, log: noLog })
    const rows = postgresVaultRows(connections)
    const vault = new Vault(rows, masterKeys(secretsKey))
    const writer = new BatchedVaultWriter(rows)
    const draft = vault.prepare(owner, person)
    await storeRow(connections, draft)
    const item = await storedItem({ vault, writer }, draft, pickup)
    await database.kill()
    await database.restart()
    t.strictSame((await vault.open(draft.ref))?.payload, person)
    t.strictSame(await vault.openItem(item ?? ''), pickup)
    await connections.end()
  }
})
