import type { FastifyReply, FastifyRequest } from 'fastify'
import { tileWidth } from '../../domain/ledger/merkle-tiles.ts'
import { hashesIn, readTilePath } from '../../domain/ledger/tile-path.ts'
import { Problem } from '../../errors.ts'
import { lastCheckpoint } from '../../ledger/checkpoints.ts'
import { tileHashes } from '../../ledger/tree.ts'
import { cosignedNote } from '../../ledger/witnesses/stored-cosignatures.ts'
import { networkOf } from '../../security/rate-limit.ts'
import type { App, PublicTree } from '../api-services.ts'

/**
 * Requests of one network in a minute. An auditor fetches the 4,000 tiles of a million events once.
 */
const requestsPerMinuteMax = 1_200
/** A new checkpoint may be signed every second. */
const checkpointCache = 'public, max-age=1'
/** A hash in the tree never changes. */
const tileCache = 'public, max-age=31536000, immutable'
const hidden = { schema: { hide: true } } as const

/**
 * The signed tree as C2SP tlog-tiles, for witnesses and auditors without a key: the last checkpoint
 * and the hashes under it. The entries are not served, because they are digests of events.
 */
export function publicTreeRoutes(app: App, { db, rate }: PublicTree): void {
  app.addHook('onRequest', async (request) => refuseFrequent(request, rate))
  app.get('/ledger/checkpoint', hidden, async (_request, reply) => {
    const checkpoint = await lastCheckpoint(db)
    if (checkpoint === null) throw new Problem('not_found')
    return reply
      .headers({ 'cache-control': checkpointCache })
      .type('text/plain; charset=utf-8')
      .send(await cosignedNote(db, checkpoint))
  })
  app.get<{ Params: { '*': string } }>('/ledger/tile/*', hidden, (request, reply) =>
    sendTile(db, request, reply),
  )
}

function refuseFrequent(request: FastifyRequest, rate: PublicTree['rate']): void {
  const { isAllowed, resetSeconds } = rate.take(networkOf(request.ip), requestsPerMinuteMax)
  if (isAllowed) return
  throw new Problem('rate_limited', {
    detail: 'Too many requests for the tree came from this address.',
    retryAfterSeconds: resetSeconds,
  })
}

async function sendTile(
  db: PublicTree['db'],
  request: FastifyRequest<{ Params: { '*': string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const tile = readTilePath(request.params['*'])
  if (tile === null) throw new Problem('not_found')
  const { level, index, width } = tile
  // Serve only what a checkpoint covers: the end of the tree may not be signed yet.
  const signed = hashesIn((await lastCheckpoint(db))?.size ?? 0, level)
  if (index * tileWidth + width > signed) throw new Problem('not_found')
  const hashes = (await tileHashes(db, level, index)).slice(0, width)
  if (hashes.length < width) throw new Error('The sealed tree has a hole: `verify` says where.')
  return reply
    .headers({ 'cache-control': tileCache })
    .type('application/octet-stream')
    .send(Buffer.concat(hashes))
}
