import { type KeyObject, verify } from 'node:crypto'
import type { Verifier } from '../../../src/service/ledger/signed-note.ts'
import { readWitness } from '../../../src/service/ledger/witnesses/cosignature.ts'
import type { Witness } from '../../../src/service/ledger/witnesses/submit.ts'
import { type Ended, type RunningProcess, runProcess } from '../../support/run-process.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

export type WitnessProcess = Witness & {
  /** Its key as text. */
  readonly key: string
  readonly ended: Promise<Ended>
  /** Resolves when the process has exited. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<Ended>
}

/** A witness as an auditor starts it; killed at the end of the test. */
export async function witnessProcess(
  t: Test,
  options: { readonly folder: string; readonly ledgers: readonly string[]; readonly name?: string },
): Promise<WitnessProcess> {
  const started = runWitness(options)
  t.teardown(async () => {
    started.child.kill('SIGKILL')
    await started.ended
  })
  const [line] = await started.said(/^\{.*\}\n/)
  const { key, url } = JSON.parse(line) as { key: string; url: string }
  const { ended, child } = started
  return {
    ...(readWitness(key) as Verifier),
    key,
    url,
    ended,
    stop(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** The same, for a start that fails. */
export function runWitness(options: {
  readonly folder: string
  readonly ledgers: readonly string[]
  readonly name?: string
}): RunningProcess {
  const { folder, ledgers, name } = options
  const keys = ledgers.flatMap((key) => ['--origin-key', key])
  const named = name === undefined ? [] : ['--name', name]
  const words = ['witness', '--listen', '127.0.0.1:0', '--state', folder, ...keys, ...named]
  return runProcess('src/service/cli/cli.ts', { arguments: [...words, '--json'] })
}

/**
 * Whether the note has a cosignature of the key, checked from the specification alone, without code
 * of the service.
 */
export function isCosigned(note: string, name: string, publicKey: KeyObject): boolean {
  const end = note.indexOf('\n\n')
  return note
    .slice(end + 2)
    .split('\n')
    .some((line) => {
      if (!line.startsWith(`— ${name} `)) return false
      const blob = Buffer.from(line.slice(`— ${name} `.length), 'base64')
      if (blob.length !== 4 + 8 + 64) return false
      const message = `cosignature/v1\ntime ${blob.readBigUInt64BE(4)}\n${note.slice(0, end + 1)}`
      return verify(null, Buffer.from(message), publicKey, blob.subarray(12))
    })
}
