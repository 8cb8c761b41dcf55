import { LRUCache } from 'lru-cache'

/** A forgotten clock costs one append that is told how far ahead the clock is. */
const clocksMax = 10_000

type Workspace = { readonly workspaceId: string; readonly livemode: boolean }

/** How far ahead the clocks of test workspaces are assumed to be: as they were when last read. */
export class AssumedClocks {
  readonly #offsets = new LRUCache<string, number>({ max: clocksMax })

  offsetOf({ workspaceId, livemode }: Workspace): number {
    return livemode ? 0 : (this.#offsets.get(workspaceId) ?? 0)
  }

  note({ workspaceId }: Workspace, offsetMs: number): void {
    this.#offsets.set(workspaceId, offsetMs)
  }
}
