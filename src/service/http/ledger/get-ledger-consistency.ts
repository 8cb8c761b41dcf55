import { z } from 'zod'
import { consistencyRanges } from '../../domain/ledger/merkle.ts'
import { TreeReader } from '../../ledger/tree.ts'
import type { ApiServices, App } from '../api-services.ts'
import { typeOf } from '../openapi/schemas.ts'
import { hash, proofHashes, requireWithin, signedTree, sizeQuery, treeSize } from './signed-tree.ts'

const consistencySchema = z
  .object({
    object: typeOf('ledger_consistency'),
    from_size: treeSize.meta({ description: 'The size of the earlier tree.' }),
    from_root_hash: hash.meta({
      description: 'The root of the earlier tree: 32 bytes, hexadecimal.',
    }),
    to_size: treeSize.meta({ description: 'The size of the later tree.' }),
    to_root_hash: hash.meta({ description: 'The root of the later tree: 32 bytes, hexadecimal.' }),
    hashes: proofHashes,
  })
  .meta({
    id: 'LedgerConsistency',
    description: 'A proof that one state of the ledger is the beginning of another (RFC 9162).',
  })

export function getLedgerConsistencyRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'GET',
    url: '/v1/ledger/consistency',
    config: { collectionScope: 'ledger:read', problems: ['not_found'], isVersioned: true },
    schema: {
      operationId: 'getLedgerConsistency',
      summary: 'Prove that an earlier state of the sealed ledger is the beginning of a later one',
      description:
        'Use it with a checkpoint that you kept: the proof fails if anything before it was changed or removed. A size beyond the last checkpoint is 400 `invalid_filter`.',
      tags: ['Ledger'],
      querystring: z.strictObject({
        from: sizeQuery.meta({ description: 'The size of the earlier tree, from 1 to `to`.' }),
        to: sizeQuery.optional().meta({
          description: 'The size of the later tree. Absent: the size of the last checkpoint.',
        }),
      }),
      response: { 200: consistencySchema.meta({ description: 'The proof.' }) },
    },
    handler: async (request) => {
      const { db } = deps
      const signed = await signedTree(db)
      const { from, to = signed.size } = request.query
      requireWithin('to', to, 1, signed.size)
      requireWithin('from', from, 1, to)
      const reader = new TreeReader(db)
      const hashes = await reader.rootsOf(consistencyRanges(from, to))
      return {
        object: 'ledger_consistency' as const,
        from_size: from,
        from_root_hash: (await reader.rootAt(from)).toString('hex'),
        to_size: to,
        to_root_hash: (await reader.rootAt(to)).toString('hex'),
        hashes: hashes.map((each) => each.toString('hex')),
      }
    },
  })
}
