import { random, seedOf } from '../../support/random.ts'
import { say } from '../../support/say.ts'
import { scratchServer, scratchVariable } from '../../support/scratch-server.ts'
import { untilClosed } from '../../support/until-closed.ts'
import { meanwhile, playRestoredNodes } from './restored-nodes.ts'

// The same as prove:lost-end on a real EventStoreDB: its nodes are restored from an older backup
// under load, and all keys are sent again. See docs/guides/eventstoredb.md.
//   EVENTSTOREDB_NODE=<executable> npm run prove:lost-end-nodes [-- [rounds of one node] [of three]]
// LOST_END_SEED repeats a run.

/** A node needs seconds from its start until it leads, and the damage cannot be noticed before. */
const limits = { noticedMs: 5_000, goesOnMs: 5_000 }
const sinceMsMax = 10_000
/** Rounds with one service: each continues from what the previous one has recovered. */
const roundsOfOne = meanwhile.length

async function play(executable: string): Promise<number> {
  const [alone = 15, three = 3] = process.argv.slice(2).map(Number)
  const seed = seedOf('LOST_END_SEED')
  const chance = random(seed)
  say(`seed ${seed}`)
  let violations = 0
  for (const [nodes, rounds] of [
    [1, alone],
    [3, three],
  ] as const) {
    for (let played = 0; played < rounds; played += roundsOfOne) {
      const own = {
        seed: Math.ceil(chance() * 2 ** 31),
        executable,
        nodes,
        rounds: meanwhile.slice(0, rounds - played),
        apis: 2,
        sinceMsMax,
        limits,
        say,
      }
      const found = await untilClosed((t) => playRestoredNodes(t, own))
      for (const line of found.lines()) say(line)
      violations += found.count
    }
  }
  say(`lost-end-nodes: ${alone} rounds of one node and ${three} of three, ${violations} violations`)
  return violations
}

const { EVENTSTOREDB_NODE: executable = '' } = process.env
if (executable === '') {
  say('Set EVENTSTOREDB_NODE to an executable that runs one node: see docs/guides/eventstoredb.md.')
  process.exitCode = 1
} else {
  const server = await scratchServer()
  process.env[scratchVariable] = server.adminUrl
  try {
    if ((await play(executable)) > 0) process.exitCode = 1
  } finally {
    await server.stop()
  }
}
