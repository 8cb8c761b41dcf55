import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

// Each way to break a promise about what is stored beside events is noticed by the test of that promise.

type Mutant = {
  readonly promise: string
  readonly changes: readonly (readonly [from: string, to: string])[]
}

const mutants: Readonly<Record<string, Mutant>> = {
  'a place taken without a shipment': {
    promise: 'each reason to withhold an attempt concerns only its own append',
    changes: [
      ['WHERE a.expected = a.current AND coalesce(a.not_after >= v_now, true)', 'WHERE true'],
    ],
  },
  'a shipment without a place': {
    promise: 'concurrent attempts get exactly the places that are left',
    changes: [['AND a.n <> ALL (v_withheld)', '']],
  },
  'an event without its row and place': {
    promise: 'a committed intent has its row and its place, once if repeated',
    changes: [['IF p_beside IS NOT NULL THEN\n    v_fit', 'IF false THEN\n    v_fit']],
  },
  'an item without its event': {
    promise: 'items that an append does not need are not stored with the events',
    changes: [['WHERE i.append = ANY (ARRAY(SELECT w.append FROM accepted w))', '']],
  },
  'an event without its item': {
    promise: 'committed events have their items, stored once if repeated',
    changes: [['WHERE i.append = ANY (ARRAY(SELECT w.append FROM accepted w))', 'WHERE false']],
  },
  'an item of an erased person': {
    promise: 'an append with an item of an erased row writes nothing',
    changes: [['AND NOT a.late AND NOT a.erased', 'AND NOT a.late']],
  },
}

const file = fileURLToPath(new URL('beside.test.ts', import.meta.url))

for (const [name, { promise, changes }] of Object.entries(mutants)) {
  t.test(`${name} breaks: ${promise}`, async (t) => {
    const env = { ...process.env, BESIDE_ALTERED: JSON.stringify(changes), TAP: '1' }
    const flags = ['--disable-warning=ExperimentalWarning', file]
    const run = promisify(execFile)(process.execPath, flags, { env, maxBuffer: 64 * 1024 * 1024 })
    const failed = await run.then(
      () => null,
      (error: { readonly code: unknown; readonly stdout: string }) => error,
    )
    t.equal(failed?.code, 1)
    const broken = failed?.stdout.split('\n').filter((line) => /^\s*not ok/.test(line)) ?? []
    t.ok(
      broken.some((line) => line.includes(promise)),
      broken.join('\n'),
    )
  })
}
