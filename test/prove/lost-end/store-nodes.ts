import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ledgerPrefixes } from '../../../src/service/domain/ids.ts'
import type { StoredEvent } from '../../../src/service/event-store/event-store.ts'
import {
  type EventStoreDb,
  eventStoreDb,
} from '../../../src/service/event-store/eventstoredb/eventstoredb.ts'
import { eventually } from '../../support/eventually.ts'
import {
  clusterUrl,
  eventStoreNodes,
  type NodeNumber,
  nodeNumbers,
} from '../cluster/event-store-nodes.ts'
import type { OutsideLedger } from './after-recovery.ts'
import { backUpNode, restoreNode } from './node-files.ts'

/** A real EventStoreDB whose nodes can be restored from an older backup. */
export type StoreNodes = {
  readonly url: string
  start(): Promise<void>
  backUp(): void
  kill(): Promise<void>
  /** Replaces the files with the backup and starts on them; in a cluster, on its majority. */
  restore(): Promise<void>
}

const startedWithinMs = 90_000
const singlePort = 2113

/** A single node. */
export function singleNode(executable: string, folder: string): StoreNodes {
  const [directory, backup] = [join(folder, 'node-0'), join(folder, 'backup-0')]
  let child: ChildProcess | null = null
  const start = async () => {
    child = spawn(executable, ['0', directory], { stdio: 'ignore' })
    await eventually(isLeader, (isSo) => isSo, startedWithinMs)
  }
  const kill = async () => {
    if (child === null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    child = null
  }
  return {
    url: `esdb://127.0.0.1:${singlePort}?tls=false`,
    start,
    backUp: () => backUp(directory, backup),
    kill,
    async restore() {
      restoreNode(backup, directory)
      await start()
    },
  }
}

/**
 * Three nodes, two of which are restored; the third finds a different history when it joins them.
 */
export function threeNodes(executable: string, folder: string): StoreNodes {
  const nodes = eventStoreNodes(executable, folder)
  const directory = (number: NodeNumber) => join(folder, `node-${number}`)
  const backup = (number: NodeNumber) => join(folder, `backup-${number}`)
  const [first, second, third] = nodeNumbers
  return {
    url: clusterUrl,
    async start() {
      nodes.start(...nodeNumbers)
      await nodes.formed()
    },
    backUp() {
      for (const number of [first, second]) backUp(directory(number), backup(number))
    },
    kill: () => nodes.kill(...nodeNumbers),
    async restore() {
      for (const number of [first, second]) restoreNode(backup(number), directory(number))
      nodes.start(first, second)
      await nodes.leader()
      nodes.start(third)
    },
  }
}

function backUp(directory: string, backup: string): void {
  rmSync(backup, { recursive: true, force: true, maxRetries: 3 })
  backUpNode(directory, backup)
}

async function isLeader(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(1_000)
    const answer = await fetch(`http://127.0.0.1:${singlePort}/info`, { signal })
    const { state } = (await answer.json()) as { state?: unknown }
    return state === 'leader'
  } catch {
    return false
  }
}

/** A ledger in EventStoreDB, read by a store without memory of it. */
export function ledgerInEventStoreDb(url: string, namespace: string): OutsideLedger {
  const fresh = async <T>(read: (store: EventStoreDb) => Promise<T>): Promise<T> => {
    const store = eventStoreDb({ url, namespace: `${namespace}.`, prefixes: ledgerPrefixes })
    try {
      return await read(store)
    } finally {
      await store.close()
    }
  }
  const everything = () =>
    fresh(async (store) => {
      const all: StoredEvent[] = []
      for (let after: string | null = null; ; ) {
        const { events, last } = await store.readAll(after, { limit: 10_000 })
        if (events.length === 0) return all
        all.push(...events)
        after = last
      }
    })
  return {
    head: async () => (await fresh((store) => store.head())) ?? '',
    count: async () => (await everything()).length,
    stream: async (name) => JSON.stringify(await fresh((store) => store.readStream(name))),
    async shipments() {
      const all = await everything()
      return JSON.stringify(all.filter(({ stream }) => stream.startsWith('shipment-')))
    },
  }
}
