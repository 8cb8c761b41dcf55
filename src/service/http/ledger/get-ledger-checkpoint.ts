import { z } from 'zod'
import type { ApiServices, App } from '../api-services.ts'
import { time, timestamp, typeOf } from '../openapi/schemas.ts'
import { rootHash, signedTree, treeSize } from './signed-tree.ts'

const checkpointSchema = z
  .object({
    object: typeOf('ledger_checkpoint'),
    tree_size: treeSize,
    root_hash: rootHash,
    key_id: z.string().meta({
      description: 'The `key_id` of the key that signed it, as in `GET /v1/ledger/keys`.',
    }),
    created_at: timestamp.meta({ description: 'When it was signed.' }),
    note: z.string().meta({
      description: 'The signed text with its signatures, as defined by C2SP tlog-checkpoint.',
    }),
  })
  .meta({
    id: 'LedgerCheckpoint',
    description: 'A signed statement of how many events the ledger has and what they hash to.',
  })

export function getLedgerCheckpointRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'GET',
    url: '/v1/ledger/checkpoint',
    config: { collectionScope: 'ledger:read', problems: ['not_found'], isVersioned: true },
    schema: {
      operationId: 'getLedgerCheckpoint',
      summary: 'Read the last signed checkpoint of the ledger',
      description:
        'Keep it: later, a consistency proof shows that nothing before it was changed. While the service keeps up, every event is covered within two seconds. 404 `not_found` until the first events are sealed.',
      tags: ['Ledger'],
      response: { 200: checkpointSchema.meta({ description: 'The last checkpoint.' }) },
    },
    handler: async () => {
      const checkpoint = await signedTree(deps.db)
      return {
        object: 'ledger_checkpoint' as const,
        tree_size: checkpoint.size,
        root_hash: checkpoint.root.toString('hex'),
        key_id: checkpoint.keyId,
        created_at: time(checkpoint.signedAt),
        note: checkpoint.note,
      }
    },
  })
}
