import { z } from 'zod'
import { inclusionRanges } from '../../domain/ledger/merkle.ts'
import { Problem } from '../../errors.ts'
import { ledgerEventObject, metadataOf } from '../../event-store/codec.ts'
import type { EventStore, StoredEvent } from '../../event-store/event-store.ts'
import { sealedUpTo, TreeReader } from '../../ledger/tree.ts'
import type { Principal } from '../../security/api-keys.ts'
import { isInTenantScope } from '../../security/tenant-scope.ts'
import type { ApiServices, App } from '../api-services.ts'
import { typeOf } from '../openapi/schemas.ts'
import { resource } from '../rules/resources/resource.ts'
import {
  hash,
  proofHashes,
  requireWithin,
  rootHash,
  signedTree,
  sizeQuery,
  treeSize,
} from './signed-tree.ts'

const proofSchema = z
  .object({
    object: typeOf('ledger_proof'),
    position: z.string().meta({
      description: 'The position of the event.',
      example: '00000000000000000042',
    }),
    event_id: z.uuid().meta({ description: 'The `id` of the event that is proved.' }),
    leaf: hash.meta({
      description:
        'The digest of the event. The tree hashes the byte 0x00 followed by these bytes.',
    }),
    leaf_index: z.int().meta({
      description: 'The index of the event among the leaves, from 0, in the order of the ledger.',
    }),
    tree_size: treeSize,
    root_hash: rootHash,
    hashes: proofHashes,
  })
  .meta({
    id: 'LedgerProof',
    description: 'A proof that an event is in the tree that a checkpoint signs (RFC 9162).',
  })

/** All organizations share one tree. A proof does not reveal the owner of a leaf. */
export function getLedgerProofRoute(app: App, deps: ApiServices): void {
  const { db } = deps
  const event = resource('ledger:read', async ({ principal }, position) => {
    // Text in PostgreSQL cannot hold a NUL, so a query with one would fail.
    const sealed = position.includes('\0') ? null : await sealedUpTo(db, position)
    // For an unknown position, read the event before it, so that every answer takes as long.
    const stored = sealed === null ? undefined : await eventOf(deps.store, sealed)
    if (sealed?.position !== position || stored === undefined || !maySee(principal, stored)) {
      throw new Problem('not_found')
    }
    return { sealed, stored }
  })
  app.route({
    method: 'GET',
    url: '/v1/ledger/proof/:position',
    config: { resource: event, isVersioned: true },
    schema: {
      operationId: 'getLedgerProof',
      summary: 'Prove that an event is in the sealed ledger',
      description:
        'Use it with the `position` of a ledger event. An event that is not sealed yet, or that the key does not reach, is not found.',
      tags: ['Ledger'],
      params: z.object({
        position: z.string().max(64).meta({
          description: 'The `position` of a ledger event.',
          example: '00000000000000000042',
        }),
      }),
      querystring: z.strictObject({ tree_size: sizeQuery.optional() }),
      response: { 200: proofSchema.meta({ description: 'The proof.' }) },
    },
    handler: async (request) => {
      const { sealed, stored } = event.of(request)
      const signed = await signedTree(db)
      const size = request.query.tree_size ?? signed.size
      // The event is sealed, but the checkpoint that covers it is not signed yet.
      if (sealed.index >= signed.size) throw new Problem('not_found')
      requireWithin('tree_size', size, sealed.index + 1, signed.size)
      const reader = new TreeReader(db)
      const hashes = await reader.rootsOf(inclusionRanges(sealed.index, size))
      return {
        object: 'ledger_proof' as const,
        position: sealed.position,
        event_id: stored.id,
        leaf: ledgerEventObject(stored).leaf,
        leaf_index: sealed.index,
        tree_size: size,
        root_hash: (await reader.rootAt(size)).toString('hex'),
        hashes: hashes.map((each) => each.toString('hex')),
      }
    },
  })
}

async function eventOf(
  store: EventStore,
  { stream, revision }: { readonly stream: string; readonly revision: number },
): Promise<StoredEvent | undefined> {
  const [event] = await store.readStream(stream, { from: revision, limit: 1 })
  return event
}

/** Administrative acts have no workspace, so a key of one workspace does not see them. */
function maySee(principal: Principal, event: StoredEvent): boolean {
  const metadata = metadataOf(event)
  if (metadata.workspace_id !== null) return isInTenantScope(principal, metadata)
  return metadata.organization_id === principal.organizationId && principal.workspaceId === null
}
