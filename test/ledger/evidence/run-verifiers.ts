import { spawnSync } from 'node:child_process'

export type Verdict = { readonly exitCode: number | null; readonly text: string }

/** Runs a verify.mjs as a process of its own, in a folder that has nothing to do with the project. */
export function runScript(script: string, args: readonly string[]): Verdict {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    env: {},
  })
  return { exitCode: status, text: `${stdout}${stderr}` }
}
