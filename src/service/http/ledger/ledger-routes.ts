import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { ReadModels } from '../../../../projections/tables.ts'
import { consistencyRanges, inclusionRanges } from '../../domain/ledger/merkle.ts'
import { Problem } from '../../errors.ts'
import { ledgerEventObject, metadataOf } from '../../event-store/codec.ts'
import type { EventStore, StoredEvent } from '../../event-store/event-store.ts'
import { type Checkpoint, checkpointKeys, lastCheckpoint } from '../../ledger/checkpoints.ts'
import { verifierText } from '../../ledger/signed-note.ts'
import { sealedUpTo, TreeReader } from '../../ledger/tree.ts'
import type { Principal } from '../../security/api-keys.ts'
import { isWithinReach } from '../../security/reach.ts'
import { createdAt, time, timestamp, typeOf } from '../openapi/schemas.ts'
import { resource } from '../rules/resources/resource.ts'
import type { App, RouteDeps } from '../server-deps.ts'

type Deps = Pick<RouteDeps, 'processes' | 'store'>

const tags = ['Ledger']
const hash = z.string().meta({ description: '32 bytes, hexadecimal.', example: 'ab'.repeat(32) })
const size = z.int().meta({
  description: 'Leaves of the tree, that is, how many events it covers from the first.',
  example: 1_024,
})
const rootHash = hash.meta({
  description: 'The root of the tree of that size: 32 bytes, hexadecimal.',
})
const proofHashes = z.array(hash).meta({
  description: 'The hashes of the proof, in the order of RFC 9162.',
})
const sizeQuery = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .meta({
    description:
      'A number of leaves, from 1 to the `tree_size` of the last checkpoint. Absent: that of the last checkpoint.',
    example: '1024',
  })

const checkpointSchema = z
  .object({
    object: typeOf('ledger_checkpoint'),
    tree_size: size,
    root_hash: rootHash,
    key_id: z.string().meta({
      description: 'The key that signed it, by its `key_id` in `GET /v1/ledger/keys`.',
    }),
    created_at: timestamp.meta({ description: 'When it was signed.' }),
    note: z.string().meta({
      description: 'What is signed, with its signatures, as C2SP tlog-checkpoint defines it.',
    }),
  })
  .meta({
    id: 'LedgerCheckpoint',
    description: 'A signed statement of how many events the ledger has and what they hash to.',
  })

const proofSchema = z
  .object({
    object: typeOf('ledger_proof'),
    position: z.string().meta({
      description: 'The position of the event.',
      example: '00000000000000000042',
    }),
    event_id: z.uuid().meta({ description: 'The event that is proved, by its `id`.' }),
    leaf: hash.meta({
      description:
        'The digest of the event. The tree hashes the byte 0x00 followed by these bytes.',
    }),
    leaf_index: z.int().meta({
      description: 'Its place among the leaves, from 0, in the order of the ledger.',
    }),
    tree_size: size,
    root_hash: rootHash,
    hashes: proofHashes,
  })
  .meta({
    id: 'LedgerProof',
    description: 'A proof that an event is in the tree that a checkpoint signs (RFC 9162).',
  })

const consistencySchema = z
  .object({
    object: typeOf('ledger_consistency'),
    from_size: size.meta({ description: 'The size of the earlier tree.' }),
    from_root_hash: hash.meta({
      description: 'The root of the earlier tree: 32 bytes, hexadecimal.',
    }),
    to_size: size.meta({ description: 'The size of the later tree.' }),
    to_root_hash: hash.meta({ description: 'The root of the later tree: 32 bytes, hexadecimal.' }),
    hashes: proofHashes,
  })
  .meta({
    id: 'LedgerConsistency',
    description: 'A proof that one state of the ledger is the beginning of another (RFC 9162).',
  })

const keySchema = z
  .object({
    object: typeOf('ledger_key'),
    key_id: z.string().meta({ description: 'What checkpoints name the key by.' }),
    public_key: z.string().meta({ description: 'The Ed25519 public key: 32 bytes in base64.' }),
    verifier: z
      .string()
      .meta({ description: 'The same key as text for tools, in the C2SP signed-note format.' }),
    since_tree_size: size.meta({
      description:
        'The size of the first checkpoint that this key signed. The previous key signed it too.',
    }),
    created_at: createdAt,
  })
  .meta({ id: 'LedgerKey', description: 'A public key that checkpoints are signed with.' })

/**
 * What auditors check the ledger with. All organizations share the tree; a proof does not reveal
 * the owner of a leaf.
 */
export function ledgerRoutes(app: App, deps: Deps): void {
  checkpointRoute(app, deps)
  proofRoute(app, deps)
  consistencyRoute(app, deps)
  keysRoute(app, deps)
}

async function signedTree(db: Kysely<ReadModels>): Promise<Checkpoint> {
  const checkpoint = await lastCheckpoint(db)
  if (checkpoint !== null) return checkpoint
  throw new Problem('not_found', {
    detail: 'Nothing is sealed yet. The first events will be sealed in a moment.',
  })
}

function checkpointRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/ledger/checkpoint',
    config: { collectionScope: 'ledger:read', problems: ['not_found'], isVersioned: true },
    schema: {
      operationId: 'getLedgerCheckpoint',
      summary: 'Read the last signed checkpoint of the ledger',
      description:
        'Keep it: later, a consistency proof shows that nothing before it was changed. Every event is covered within two seconds while the service keeps up. 404 `not_found` until the first events are sealed.',
      tags,
      response: { 200: checkpointSchema.meta({ description: 'The last checkpoint.' }) },
    },
    handler: async () => {
      const checkpoint = await signedTree(deps.processes.db)
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

function proofRoute(app: App, deps: Deps): void {
  const { db } = deps.processes
  const event = resource('ledger:read', async ({ principal }, position) => {
    // PostgreSQL text cannot hold a NUL; a query with one would fail.
    const sealed = position.includes('\0') ? null : await sealedUpTo(db, position)
    // If there is none, read the event before it, so that this answer takes as long as any other.
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
        'Takes the position of a ledger event. An event that is not sealed yet, or is out of reach of the key, is not found.',
      tags,
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
      const treeSize = request.query.tree_size ?? signed.size
      // The event is sealed, but the checkpoint that covers it is not signed yet.
      if (sealed.index >= signed.size) throw new Problem('not_found')
      requireWithin('tree_size', treeSize, sealed.index + 1, signed.size)
      const reader = new TreeReader(db)
      const hashes = await reader.rootsOf(inclusionRanges(sealed.index, treeSize))
      return {
        object: 'ledger_proof' as const,
        position: sealed.position,
        event_id: stored.id,
        leaf: ledgerEventObject(stored).leaf,
        leaf_index: sealed.index,
        tree_size: treeSize,
        root_hash: (await reader.rootAt(treeSize)).toString('hex'),
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
  if (metadata.workspace_id !== null) return isWithinReach(principal, metadata)
  return metadata.organization_id === principal.organizationId && principal.workspaceId === null
}

function requireWithin(name: string, value: number, from: number, to: number): void {
  if (value >= from && value <= to) return
  const detail = `${name} must be from ${from} to ${to}.`
  throw new Problem('invalid_filter', { detail })
}

function consistencyRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/ledger/consistency',
    config: { collectionScope: 'ledger:read', problems: ['not_found'], isVersioned: true },
    schema: {
      operationId: 'getLedgerConsistency',
      summary: 'Prove that an earlier state of the sealed ledger is the beginning of a later one',
      description:
        'Use it with a checkpoint that you kept: the proof fails if anything before it was changed or removed. Sizes beyond the last checkpoint are 400 `invalid_filter`.',
      tags,
      querystring: z.strictObject({
        from: sizeQuery.meta({ description: 'The size of the earlier tree, from 1 to `to`.' }),
        to: sizeQuery.optional().meta({
          description: 'The size of the later tree. Absent: that of the last checkpoint.',
        }),
      }),
      response: { 200: consistencySchema.meta({ description: 'The proof.' }) },
    },
    handler: async (request) => {
      const { db } = deps.processes
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

function keysRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/ledger/keys',
    config: { collectionScope: 'ledger:read', isVersioned: true },
    schema: {
      operationId: 'listLedgerKeys',
      summary: 'Read the public keys that have signed checkpoints, oldest first',
      description: 'Use them to check the signatures of checkpoints. Keep your own copy.',
      tags,
      response: {
        200: z
          .object({ data: z.array(keySchema).meta({ description: 'The keys, oldest first.' }) })
          .meta({ description: 'The keys. All of them are on one page.' }),
      },
    },
    handler: async () => {
      const keys = await checkpointKeys(deps.processes.db)
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
