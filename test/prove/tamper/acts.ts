import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { leafOf, ledgerEventObject } from '../../../src/service/event-store/codec.ts'
import { signCheckpoint } from '../../../src/service/ledger/checkpoints.ts'
import { signedNote } from '../../../src/service/ledger/signed-note.ts'
import { appendToTree, growing, readTree, type Tree } from '../../../src/service/ledger/tree.ts'
import { endingAt } from '../../faults/ledger/tampered-seals.ts'
import { witnessProcess } from '../../faults/ledger/witness-process.ts'
import type { Attacker } from './attacker.ts'
import type { Answered, EvidenceLedger } from './evidence-ledger.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** What an attacker does, and the expected result of each command. */
export type Act = {
  readonly what: string
  readonly does: (made: EvidenceLedger, attacker: Attacker, t: Test) => Promise<void>
  /** The expected exit codes; `HELD` is a checkpoint that an auditor saved. */
  readonly expected: readonly (readonly [command: string, exit: number])[]
}

const sql =
  (statements: (ids: EvidenceLedger['ids']) => string) =>
  async ({ ids }: EvidenceLedger, { client }: Attacker): Promise<void> => {
    await client.query(statements(ids))
  }

/** A file that an act creates in the ledger's folder. */
const fork = 'fork.txt'
const forgedFile = 'forged.ndjson'

const refOf = (id: string) => `(SELECT ref FROM vault WHERE shipment_id = '${id}')`

export const acts: readonly Act[] = [
  {
    what: 'the tail cut off with its seals, tiles, checkpoints and cosignatures, as by an old backup',
    does: cutTail,
    expected: [
      ['verify', 1],
      ['verify, without the folder of checkpoints', 2],
      ['verify --checkpoint EARLY, without the folder', 0],
      ['verify --checkpoint LATE, without the folder', 1],
      ['export --checkpoint LATE', 1],
    ],
  },
  {
    what: 'an event changed, and everything sealed and signed again with the real key',
    does: resealed,
    expected: [
      ['verify', 1],
      ['verify, without the folder of checkpoints', 2],
      ['verify --checkpoint EARLY, without the folder', 1],
      ['verify --checkpoint LATE, without the folder', 1],
      ['verify --witness', 1],
    ],
  },
  {
    what: 'another history of the same size signed with the real key, and shown to one auditor',
    does: async (made) => writeFork(made),
    expected: [
      ['verify --checkpoint FORK', 1],
      ['verify --file WHOLE --checkpoint FORK', 1],
      ['verify', 0],
    ],
  },
  {
    what: 'a witness whose state was replaced by an older copy, and which cosigned another history',
    does: replayedWitness,
    expected: [
      ['verify --checkpoint FORK', 1],
      ['verify --witness', 0],
    ],
  },
  {
    what: 'what the vault holds of two shipments swapped',
    does: sql(
      ({ issued, other }) => `
      UPDATE vault v SET wrapped_key = o.wrapped_key, payload = o.payload FROM vault o
      WHERE v.shipment_id IN ('${issued}', '${other}') AND o.shipment_id IN ('${issued}', '${other}')
        AND o.shipment_id <> v.shipment_id`,
    ),
    expected: [
      ['verify', 0],
      ['verify --vault', 1],
    ],
  },
  {
    what: 'the rows of two shipments in the vault swapped, each under the other one’s name',
    does: sql(
      ({ issued, other }) => `
      UPDATE vault SET shipment_id = CASE shipment_id WHEN '${issued}' THEN '${other}' ELSE '${issued}' END
      WHERE shipment_id IN ('${issued}', '${other}')`,
    ),
    expected: [['verify --vault', 1]],
  },
  {
    what: 'an item of the vault moved to another shipment',
    does: sql(
      ({ issued, other }) =>
        `UPDATE vault_items SET vault_ref = ${refOf(other)} WHERE vault_ref = ${refOf(issued)}`,
    ),
    expected: [['verify --vault', 1]],
  },
  {
    what: 'two items of one shipment swapped',
    does: sql(
      ({ issued }) => `
      UPDATE vault_items i SET payload = o.payload FROM vault_items o
      WHERE i.vault_ref = ${refOf(issued)} AND o.vault_ref = i.vault_ref AND o.ref <> i.ref`,
    ),
    expected: [['verify --vault', 1]],
  },
  ...['decided', 'heldWorkspace'].map((kind) => ({
    what: `the note of a ${kind === 'decided' ? 'decision' : 'hold on a workspace'} deleted`,
    does: sql((ids) =>
      kind === 'decided'
        ? `DELETE FROM vault WHERE shipment_id LIKE 'op\\_${ids.decided.slice(4)}%'`
        : `DELETE FROM vault WHERE shipment_id = '${ids.heldWorkspace}'`,
    ),
    expected: [
      ['verify', 0],
      ['verify --vault', 1],
    ] as const,
  })),
  {
    what: 'personal data destroyed with the function of the service, without an event',
    does: sql(({ held }) => `SELECT ledger.erase_vault_rows('${held}')`),
    expected: [['verify --vault', 1]],
  },
  {
    what: 'personal data put back after its erasure, as by an old backup of the database',
    does: sql(
      ({ erased, issued }) => `
      UPDATE vault v SET wrapped_key = o.wrapped_key, payload = o.payload FROM vault o
      WHERE v.shipment_id = '${erased}' AND o.shipment_id = '${issued}';
      UPDATE erasures SET ended_at = now()`,
    ),
    expected: [
      ['verify', 0],
      ['verify --vault', 1],
    ],
  },
  {
    what: 'a hold on a workspace removed from its row',
    does: sql(({ heldWorkspace }) => withoutHold(heldWorkspace)),
    expected: [
      ['verify', 0],
      ['diff', 1],
    ],
  },
  {
    what: 'a hold on a workspace removed, an erasure ordered, and the hold put back',
    does: erasedUnderHold,
    expected: [
      ['verify', 1],
      ['diff', 0],
    ],
  },
  {
    what: 'a row of the vault deleted',
    does: sql(({ other }) => `DELETE FROM vault WHERE shipment_id = '${other}'`),
    expected: [['verify --vault', 1]],
  },
  {
    what: 'a shipment taken out of the read models',
    does: sql(({ other }) => `DELETE FROM projections.shipments WHERE shipment_id = '${other}'`),
    expected: [
      ['verify', 0],
      ['diff', 1],
    ],
  },
  {
    what: 'the last event of a shipment removed from an exported part',
    does: async (made) => writeFile(made, made.files.part, withoutLast),
    expected: [
      ['verify --file FORGED', 1],
      ['verify --file PART', 0],
    ],
  },
  {
    what: 'the scope of an exported part changed',
    does: async (made) =>
      writeFile(made, made.files.part, (text) =>
        text.replace(/"to":null/, '"to":"2100-01-01T00:00:00.000Z"'),
      ),
    expected: [['verify --file FORGED', 1]],
  },
  {
    what: 'the cosignature in an exported file changed',
    does: async (made) =>
      writeFile(made, made.files.whole, (text) =>
        text.replace(
          /(— auditor\.example\/w1 .{40})(.)/,
          (_all, before, one) => `${before}${one === 'A' ? 'B' : 'A'}`,
        ),
      ),
    expected: [
      ['verify --file FORGED', 0],
      ['verify --file FORGED --witness', 1],
    ],
  },
]

/** Runs a command of the table above. */
export function answeredBy(name: string, made: EvidenceLedger): Promise<Answered> {
  const [early = '', late = ''] = made.held
  const files: Readonly<Record<string, string>> = {
    EARLY: early,
    LATE: late,
    FORK: join(made.folder, fork),
    FORGED: join(made.folder, forgedFile),
    WHOLE: made.files.whole,
    PART: made.files.part,
  }
  const [said = '', where] = name.split(', without')
  const words = said.split(' ').flatMap((word) => {
    if (word === '--witness') return [word, made.witness.key]
    return [files[word] ?? word]
  })
  if (words[0] === 'export') words.push('--out', join(made.folder, 'never.ndjson'))
  return where === undefined ? made.command(...words) : made.withoutFolder(...words)
}

function sizeIn(file: string): number {
  return Number(readFileSync(file, 'utf8').split('\n')[1])
}

/**
 * Truncates the ledger to an early checkpoint: the database is then as it was when that was signed.
 */
async function cutTail(made: EvidenceLedger, { client }: Attacker): Promise<void> {
  const size = sizeIn(made.held[0] ?? '')
  await client.query(`
    DELETE FROM ledger.event WHERE position > ${size};
    ${endingAt(size)};
    DELETE FROM checkpoints WHERE tree_size > ${size};
    DELETE FROM checkpoint_cosignatures WHERE tree_size > ${size};
    DELETE FROM merkle_tiles WHERE tile >= ${Math.floor(size / 256)} AND tier = 1;
    UPDATE merkle_tree SET size = ${size},
      position = (SELECT position FROM checkpoints WHERE tree_size = ${size}),
      event_id = (SELECT event_id FROM ledger.event WHERE position = ${size})`)
}

async function resealed({ parts, signer, ids }: EvidenceLedger, { client }: Attacker) {
  const { db, store } = parts
  const stream = `shipment-${ids.issued.slice(4)}`
  const events = []
  for (let after: string | null = null; ; ) {
    const page = await store.readAll(after, { limit: 1_000 })
    if (page.last === after || page.last === null) break
    events.push(...page.events)
    after = page.last
  }
  const leaves = []
  for (const event of events) {
    const { position, stream: own, revision } = event
    let leaf = String(event.metadata.leaf)
    if (own === stream && event.type === 'GuideIssued') {
      const data = { ...event.data, guide_number: 'FORGED-1' }
      const { position: _at, leaf: _leaf, ...hashed } = ledgerEventObject({ ...event, data })
      leaf = leafOf(hashed)
      const metadata = { ...event.metadata, leaf }
      await client.query('UPDATE ledger.event SET data = $1, metadata = $2 WHERE event_id = $3', [
        JSON.stringify(data),
        JSON.stringify(metadata),
        event.id,
      ])
    }
    leaves.push({
      position,
      stream: own,
      revision,
      eventId: event.id,
      leaf: Buffer.from(leaf, 'hex'),
    })
  }
  await client.query(`
    DELETE FROM sealed_batches; DELETE FROM merkle_tiles; DELETE FROM checkpoints;
    DELETE FROM checkpoint_cosignatures; DELETE FROM checkpoint_keys;
    UPDATE merkle_tree SET size = 0, position = NULL, event_id = NULL`)
  const tree = await growing(db, (await readTree(db)) as Tree)
  const grown = await appendToTree(db, tree, leaves)
  await signCheckpoint(db, grown, { current: signer, previous: null }, async () => undefined)
}

function writeFork(made: EvidenceLedger): void {
  const size = sizeIn(made.held[1] ?? '')
  const head = { origin: made.signer.name, size, root: Buffer.alloc(32, 7), signedAt: Date.now() }
  writeFileSync(join(made.folder, fork), signedNote(head, [made.signer]))
}

/**
 * Replaces the witness's folder with a copy without what it has cosigned, and lets it cosign
 * another history.
 */
async function replayedWitness(made: EvidenceLedger, _attacker: Attacker, t: Test): Promise<void> {
  const folder = join(made.folder, 'witness-of-old')
  cpSync(made.oldWitness, folder, { recursive: true })
  const old = await witnessProcess(t, { folder, ledgers: [made.ledgerKey] })
  writeFork(made)
  const note = readFileSync(join(made.folder, fork), 'utf8')
  const answer = await fetch(`${old.url}/add-checkpoint`, {
    method: 'POST',
    body: `old 0\n\n${note}`,
  })
  if (answer.status !== 200) throw new Error(`the old witness answered ${answer.status}`)
  writeFileSync(join(made.folder, fork), `${note}${await answer.text()}`)
  await old.stop('SIGTERM')
}

function withoutHold(workspaceId: string): string {
  return `UPDATE workspaces SET legal_hold_since = NULL WHERE id = '${workspaceId}'`
}

async function erasedUnderHold(made: EvidenceLedger, { client }: Attacker): Promise<void> {
  const { heldWorkspace, inHeldWorkspace, operatorId } = made.ids
  await client.query(withoutHold(heldWorkspace))
  const { code, text } = await made.command('erase', inHeldWorkspace, '--as', operatorId)
  if (code !== 0) throw new Error(text)
  await client.query('UPDATE workspaces SET legal_hold_since = now() WHERE id = $1', [
    heldWorkspace,
  ])
}

function writeFile({ folder }: EvidenceLedger, from: string, change: (text: string) => string) {
  const text = readFileSync(from, 'utf8')
  const changed = change(text)
  if (changed === text) throw new Error('nothing was changed')
  writeFileSync(join(folder, forgedFile), changed)
}

/** Removes the last event of a shipment and corrects the count. */
function withoutLast(text: string): string {
  const lines = text.split('\n')
  const at = lines.findLastIndex((line) => line.includes('"shipment_id":"shp_'))
  const rest = lines.toSpliced(at, 1).join('\n')
  return rest.replace(/\{"events":(\d+)/, (_all, count) => `{"events":${Number(count) - 1}`)
}
