import { createSecretKey } from 'node:crypto'
import canonicalize from 'canonicalize'
import {
  consistencyRanges,
  inclusionRanges,
  leafHash,
} from '../../src/service/domain/ledger/merkle.ts'
import { leafOf } from '../../src/service/event-store/codec.ts'
import { signedNote, signerOf, verifierText } from '../../src/service/ledger/signed-note.ts'
import { cosign, witnessText } from '../../src/service/ledger/witnesses/cosignature.ts'
import {
  bodyDigest,
  commitmentKeyOf,
  commitmentTo,
} from '../../src/service/security/vault/commitment.ts'
import { proofIn, rootIn } from '../ledger/small-tree.ts'

/* Test vectors for verifiers, computed by the product. The keys are used for nothing else. */

const seedOf = (byte: number) => Buffer.alloc(32, byte)
const ledger = signerOf('shipping-ledger/0123456789ABCDEFGHIJKL', seedOf(1))
const witness = signerOf('witness.example/w1', seedOf(2))
const signedAt = Date.parse('2027-01-31T00:00:00.000Z')
const treeSize = 7
const reference = '3f0d6c1e-8f43-4d6b-9b39-0c3ad2f6a6a1'

/** Its names and numbers are chosen so that a wrong canonical form has a different digest. */
const event: Parameters<typeof leafOf>[0] = {
  object: 'ledger_event',
  id: '6b2f1f5c-1c7e-4f5e-9d0a-2f4a0f7f9a11',
  livemode: false,
  created_at: '2027-01-31T00:00:00.000Z',
  type: 'Example',
  schema: 1,
  shipment_id: 'shp_0123456789ABCDEFGHIJKL',
  revision: 0,
  recorded_at: '2027-01-31T00:00:00.000Z',
  occurred_at: '2027-01-30T23:59:59.999Z',
  workspace_id: null,
  actor: { type: 'system', key_id: null },
  request_id: null,
  causation_id: null,
  correlation_id: '6b2f1f5c-1c7e-4f5e-9d0a-2f4a0f7f9a11',
  data: { text: 'a/b "ñ" \u2028 \u001f 😀', numbers: [0.8, 100, 1e21, 1e-7], é: 1, Z: 2, a: 3 },
}

const leaves = Array.from({ length: treeSize }, (_, byte) => leafHash(Buffer.of(byte)))
const rootAt = (size: number) => rootIn(leaves, { from: 0, to: size })
const hex = (bytes: Buffer) => bytes.toString('hex')

export function ledgerVectors(): object {
  const root = rootAt(treeSize)
  const head = { origin: ledger.name, size: treeSize, root, signedAt }
  const checkpoint = signedNote(head, [ledger])
  const text = checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1)
  const dataKey = createSecretKey(seedOf(3))
  const key = commitmentKeyOf(dataKey)
  const content = Buffer.from('\0{"pickup_code":"7743"}')
  const body = Buffer.from('{"reference":"example"}')
  return {
    leaf: { event, canonical_json: canonicalize(event), leaf: leafOf(event) },
    inclusion: {
      entries: 'the bytes 0x00 to 0x06, one each',
      tree_size: treeSize,
      leaf_index: 4,
      leaf_hash: hex(leafHash(Buffer.of(4))),
      proof: proofIn(leaves, inclusionRanges(4, treeSize)),
      root: hex(root),
    },
    consistency: {
      from_size: 3,
      from_root: hex(rootAt(3)),
      to_size: treeSize,
      to_root: hex(root),
      proof: proofIn(leaves, consistencyRanges(3, treeSize)),
    },
    checkpoint: { key: verifierText(ledger), note: checkpoint },
    cosignature: {
      key: witnessText(witness),
      line: cosign(text, witness, BigInt(signedAt / 1000)),
    },
    commitment: {
      data_key: hex(seedOf(3)),
      commitment_key: hex(key.export()),
      reference,
      content_base64: content.toString('base64'),
      commitment: commitmentTo(key, reference, content),
      body: body.toString(),
      body_digest: bodyDigest(key, body),
    },
  }
}
