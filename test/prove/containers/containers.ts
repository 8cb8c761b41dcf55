import { spawnSync } from 'node:child_process'
import { createSecrets, readCompose } from '../../support/compose-file.ts'
import { say } from '../../support/say.ts'
import { checkCluster } from './check-cluster.ts'
import { checkSingleNode } from './check-single-node.ts'
import { removeAll } from './podman.ts'
import { buildStages } from './stages.ts'

// The Dockerfile is built as it is, and both sides of docker-compose.yml, the single node and the
// cluster, run on podman, one after the other: `npm run prove:containers`. It needs podman 4 on Linux
// and, for images that are not there yet, their registry. The images stay, for the next run;
// everything else is removed.

if (spawnSync('podman', ['--version']).status !== 0) {
  say('containers: skipped: podman is not installed')
  process.exit(0)
}

let passed = 0
let failed = 0

function check(isSo: boolean, what: string): void {
  if (isSo) passed += 1
  else failed += 1
  say(`${isSo ? 'ok ' : 'NOT'} ${what}`)
}

/** Runs one part of the proof. If it throws, that is a violation, and the next part runs. */
async function attempt<T>(part: () => Promise<T>): Promise<T | undefined> {
  await removeAll()
  try {
    return await part()
  } catch (error) {
    check(false, error instanceof Error ? error.message : String(error))
    return undefined
  } finally {
    await removeAll()
  }
}

const image = await attempt(() =>
  buildStages((stage, ms) => {
    check(true, `stage ${stage} of the Dockerfile built in ${(ms / 1_000).toFixed(1)} s`)
  }),
)
if (image !== undefined) {
  const compose = readCompose()
  for (const checkSide of [checkSingleNode, checkCluster]) {
    await attempt(() => checkSide({ compose, secrets: createSecrets(), image, check }))
  }
}
say(`containers: ${passed} checks, ${failed} violations`)
if (failed > 0) process.exitCode = 1
