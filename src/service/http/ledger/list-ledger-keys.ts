import { z } from 'zod'
import { checkpointKeys } from '../../ledger/checkpoints.ts'
import { verifierText } from '../../ledger/signed-note.ts'
import type { ApiServices, App } from '../api-services.ts'
import { createdAt, time, typeOf } from '../openapi/schemas.ts'
import { treeSize } from './signed-tree.ts'

const keySchema = z
  .object({
    object: typeOf('ledger_key'),
    key_id: z.string().meta({ description: 'Identifies the key in checkpoints.' }),
    public_key: z.string().meta({ description: 'The Ed25519 public key: 32 bytes in base64.' }),
    verifier: z
      .string()
      .meta({ description: 'The same key as text for tools, in the C2SP signed-note format.' }),
    since_tree_size: treeSize.meta({
      description:
        'The size of the first checkpoint that this key signed. The previous key signed it too.',
    }),
    created_at: createdAt,
  })
  .meta({ id: 'LedgerKey', description: 'A public key that checkpoints are signed with.' })

export function listLedgerKeysRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'GET',
    url: '/v1/ledger/keys',
    config: { collectionScope: 'ledger:read', isVersioned: true },
    schema: {
      operationId: 'listLedgerKeys',
      summary: 'Read the public keys that have signed checkpoints, oldest first',
      description: 'Use them to check the signatures of checkpoints. Keep your own copy.',
      tags: ['Ledger'],
      response: {
        200: z
          .object({ data: z.array(keySchema).meta({ description: 'The keys, oldest first.' }) })
          .meta({ description: 'The keys, all on one page.' }),
      },
    },
    handler: async () => {
      const keys = await checkpointKeys(deps.db)
      return {
        data: keys.map((key) => ({
          object: 'ledger_key' as const,
          key_id: key.keyId,
          public_key: key.publicKey.toString('base64'),
          verifier: verifierText(key),
          since_tree_size: key.sinceSize,
          created_at: time(key.createdAt),
        })),
      }
    },
  })
}
