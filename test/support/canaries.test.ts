import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import t from 'tap'
import {
  type Canaries,
  canaryDocument,
  makeCanaries,
  searchForCanaries,
  tablesAsText,
} from './canaries.ts'
import { testDatabase } from './test-database.ts'

t.test('a canary is found in every encoding', async (t) => {
  const canaries = makeCanaries(['first_name', 'note'])
  const name = String(canaries.first_name)
  const folder = mkdtempSync(join(tmpdir(), 'canaries-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'deep', 'er'), { recursive: true })
  const forms: Record<string, Buffer | string> = {
    raw: Buffer.concat([Buffer.from([0, 255]), Buffer.from(name), Buffer.from([0])]),
    upper: name.toUpperCase(),
    hex: Buffer.from(`x${name}`).toString('hex'),
    utf16: Buffer.from(`x${name}`, 'utf16le'),
    utf16be: Buffer.from(`x${name}`, 'utf16le').swap16(),
    base64at0: Buffer.from(`${name}!`).toString('base64'),
    base64at1: Buffer.from(`x${name}!!`).toString('base64'),
    base64at2: Buffer.from(`xy${name}`).toString('base64url'),
  }
  for (const [file, bytes] of Object.entries(forms))
    writeFileSync(join(folder, 'deep', 'er', file), bytes)
  writeFileSync(join(folder, 'clean'), 'nothing here')
  const sightings = searchForCanaries([folder], canaries)
  const files = new Set(sightings.map(({ where }) => where.split('/').at(-1)))
  t.same(files, new Set(Object.keys(forms)))
  t.ok(sightings.every(({ canary }) => canary === 'first_name'))
})

t.test('a canary is found in a text, and nothing in a text without one', async (t) => {
  const canaries: Canaries = { ...makeCanaries(['note']), document: canaryDocument() }
  t.same(searchForCanaries([], canaries, { log: 'quiet' }), [])
  const [sighting] = searchForCanaries([], canaries, { log: `{"note":"${canaries.note}"}` })
  t.match(sighting, { canary: 'note', where: 'log' })
  t.match(searchForCanaries([], canaries, { log: String(canaries.document) })[0], {
    canary: 'document',
  })
})

t.test('searching a missing folder is an error, not an empty result', async (t) => {
  t.throws(() => searchForCanaries([join(tmpdir(), 'no-such-folder-here')], {}), /not there/)
})

t.test('a canary is found in a table whose long values are compressed', async (t) => {
  const { adminUrl } = await testDatabase(t)
  const canaries = makeCanaries(['text', 'bytes'])
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query('CREATE SCHEMA elsewhere; CREATE TABLE elsewhere.kept (a text, b bytea)')
  await client.query('INSERT INTO elsewhere.kept VALUES ($1, $2)', [
    `${'x'.repeat(9_000)}${canaries.text}`,
    Buffer.from(`${'y'.repeat(9_000)}${canaries.bytes}`),
  ])
  await client.end()
  const sightings = searchForCanaries([], canaries, await tablesAsText(adminUrl))
  t.same(
    new Set(sightings.map(({ canary, where }) => `${where} ${canary}`)),
    new Set(['elsewhere.kept text', 'elsewhere.kept bytes']),
  )
})
