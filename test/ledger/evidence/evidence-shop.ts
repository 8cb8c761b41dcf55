import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '../../../src/service/domain/decider.ts'
import { lastCheckpoint } from '../../../src/service/ledger/checkpoints.ts'
import { exportLedger } from '../../../src/service/ledger/export.ts'
import { readNote, signatureOver, signerOf } from '../../../src/service/ledger/signed-note.ts'
import {
  cosign,
  cosignaturesOf,
  witnessText,
} from '../../../src/service/ledger/witnesses/cosignature.ts'
import { keepCosignature } from '../../../src/service/ledger/witnesses/stored-cosignatures.ts'
import { unseal, unwrapKey } from '../../../src/service/security/encryption/encryption.ts'
import { masterKeys } from '../../../src/service/security/encryption/master-keys.ts'
import { commitmentKeyOf } from '../../../src/service/security/vault/commitment.ts'
import { ownerParts } from '../../../src/service/security/vault/vault.ts'
import { eventually } from '../../support/eventually.ts'
import { type Service, service } from '../../support/service.ts'
import { bundleWith, type Files, zipOf } from './bundle-files.ts'

/* A shop with shipments that people could argue about, and evidence bundles about them. */

type Test = { teardown(fn: () => Promise<unknown>): unknown }

export type MadeBundle = { readonly zip: Buffer; readonly files: Files }

/** An answer of GET /v1/ledger/checkpoint. */
type Held = { readonly tree_size: number; readonly note: string }

const witnessSeed = randomBytes(32)
const witness = signerOf('auditor.example/w1', witnessSeed)

type Options = {
  /** Replaces its key after the first shipment, so that the histories have two. */
  readonly isRotated?: boolean
}

export async function evidenceShop(t: Test, { isRotated = false }: Options = {}) {
  const first = await service(t)
  await first.create('first')
  await sealedAndCosigned(first)
  const trusted: Held = (await first.call('/v1/ledger/checkpoint')).body
  const shop = isRotated ? await rotated(t, first) : first
  const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-bundle-'))
  t.teardown(async () => rmSync(folder, { recursive: true, force: true }))
  const issued = String((await shop.create('issued')).body.id)
  const erased = String((await shop.create('erased')).body.id)
  const lost = await shop.create('lost', { scenario: 'lost_response_human_review' })
  const decided = String(lost.body.shipment_id)
  await shop.advance('PT21H')
  const key = shop.seeded.operatorKey
  const body = { decision: 'nothing_created', note: 'The courier says that nothing was made.' }
  await eventually(
    () => shop.call(`/v1/operations/${lost.body.operation_id}/resolve`, { key, body }),
    ({ status }) => status === 200,
  )
  await shop.call(`/v1/shipments/${erased}/erase-personal-data`, { method: 'POST' })
  await sealedAndCosigned(shop)
  const ledgerKey: string = (await shop.call('/v1/ledger/keys')).body.data.at(-1).verifier
  return {
    shop,
    /** Issued at once. */
    issued,
    /** Its answer was lost; a person decided. */
    decided,
    /** Its person was erased. */
    erased,
    witnessKey: witnessText(witness),
    /** The current signing key. */
    ledgerKey,
    held: trusted,
    seeds: { ledger: shop.secrets.checkpointKey, witness: witnessSeed },
    bundleOf: (shipmentId: string, { includePersonal = false } = {}) =>
      madeBundle(shop, folder, shipmentId, includePersonal),
  }
}

async function rotated(t: Test, before: Service): Promise<Service> {
  await before.stop()
  const { checkpointKey: checkpointKeyPrevious } = before.secrets
  const secrets = { ...before.secrets, checkpointKey: randomBytes(32), checkpointKeyPrevious }
  return await service(t, { after: before, secrets, ledger: before.ledger })
}

/** Waits until everything is sealed, and cosigns the checkpoint as a witness does. */
async function sealedAndCosigned({ parts }: Service): Promise<void> {
  const head = (await parts.store.head()) ?? ''
  const checkpoint = await eventually(
    () => lastCheckpoint(parts.db),
    (last) => last !== null && last.position >= head,
  )
  const note = readNote(checkpoint?.note ?? '')
  if (note === null) throw new Error('there is no checkpoint')
  const line = cosign(note.text, witness, BigInt(Math.floor(Date.now() / 1000)))
  const cosigned = readNote(`${checkpoint?.note}${line}`)
  const [found] = cosigned === null ? [] : cosignaturesOf(cosigned, [witness])
  if (found === undefined) throw new Error('the cosignature is not valid')
  await keepCosignature(parts.db, note.head.size, found)
}

async function madeBundle(
  shop: Service,
  folder: string,
  shipmentId: string,
  includePersonal: boolean,
): Promise<MadeBundle> {
  const { parts, secrets } = shop
  const file = join(folder, `${shipmentId}-${randomBytes(4).toString('hex')}`)
  const scope = { organization_id: null, shipment_id: shipmentId, from: null, to: null }
  const deps = { db: parts.db, store: parts.store }
  await exportLedger(deps, file, scope, { signingKeys: [secrets.checkpointKey] })
  const history = readFileSync(file)
  const header = JSON.parse(history.toString('utf8').split('\n')[0] ?? '')
  const files: Files = new Map([
    ['README.md', Buffer.from('# Evidence\n')],
    ['report.pdf', Buffer.from('%PDF-1.7\n')],
    ['history.ndjson', history],
    ['checkpoint.txt', Buffer.from(header.checkpoint)],
    ['verify.mjs', readFileSync(join(import.meta.dirname, '../../../src/verifier/verify.mjs'))],
  ])
  if (includePersonal) {
    const personal = await personalOf(shop, shipmentId)
    files.set('personal.json', Buffer.from(JSON.stringify(personal)))
  }
  const origin = String(header.checkpoint).split('\n')[0] ?? ''
  const signer = signerOf(origin, secrets.checkpointKey)
  const signed = bundleWith(files, shipmentId, [witnessText(witness)], (text) =>
    signatureOver(text, signer),
  )
  return { zip: zipOf(signed), files: signed }
}

type Row = {
  readonly ref: string
  readonly organizationId: string
  readonly shipmentId: string
  readonly masterKeyId: string
  readonly wrappedKey: Buffer
  readonly payload: Buffer
}

async function personalOf({ parts, secrets }: Service, shipmentId: string): Promise<JsonObject> {
  const keys = masterKeys(secrets.secretsKey, secrets.secretsKeyPrevious)
  const { rows } = await parts.pool.query<Row>(
    `SELECT ref, organization_id AS "organizationId", shipment_id AS "shipmentId",
       master_key_id AS "masterKeyId", wrapped_key AS "wrappedKey", payload FROM vault
     WHERE (shipment_id = $1 OR shipment_id LIKE 'op\\_' || substr($1, 5) || '%') AND wrapped_key IS NOT NULL`,
    [shipmentId],
  )
  const found = []
  for (const row of rows) {
    const owner = ownerParts(row, row.ref)
    const dataKey = unwrapKey(keys, row, owner)
    const items = await parts.pool.query<{ ref: string; payload: Buffer }>(
      'SELECT ref, payload FROM vault_items WHERE vault_ref = $1',
      [row.ref],
    )
    const base64 = (bytes: Buffer) => bytes.toString('base64')
    found.push({
      reference: row.ref,
      commitment_key: commitmentKeyOf(dataKey).export().toString('hex'),
      items: [
        {
          reference: row.ref,
          kind: 'row',
          bytes: base64(unseal(dataKey, row.payload, ['payload', ...owner])),
        },
        ...items.rows.map(({ ref, payload }) => ({
          reference: ref,
          kind: 'item',
          bytes: base64(unseal(dataKey, payload, ['vault item v1', row.ref, ref])),
        })),
      ],
    })
  }
  return { shipment_id: shipmentId, rows: found, erased: [], missing: [] }
}
