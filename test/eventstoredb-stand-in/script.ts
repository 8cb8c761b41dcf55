/** What can happen to an append. "Written" says whether the events are in the log afterwards. */
export type AppendTrick =
  /** Received but never answered, not written: a frozen server, or a leader without its quorum. */
  | 'silent'
  /** Written but never answered. */
  | 'written_silent'
  /**
   * Written, then the connection dies: UNAVAILABLE, as when the server is killed (4 of 8 cases).
   */
  | 'written_answer_lost'
  /** The connection dies before anything is written (the other 4 of 8 cases). */
  | 'unwritten_connection_lost'
  /** Written, and answered only after `lateMs`: longer than the caller's deadline. */
  | 'late_answer'
  /** Written and answered only after `lateMs`: a server that thaws and continues. */
  | 'late_write'
  /** DEADLINE_EXCEEDED at once for a write in flight, which is written a moment later. */
  | 'deadline_exceeded_in_flight'
  /** DEADLINE_EXCEEDED and not written: a leader that has lost its quorum. */
  | 'deadline_exceeded_unwritten'
  /** ABORTED "Operation timed out", though written: the server's own prepare timeout. */
  | 'timed_out_written'
  /** UNKNOWN "Could not recognize Server Is Not Ready", at once. */
  | 'not_ready'
  /** UNAVAILABLE "Server Is Not Ready": the same for single calls. */
  | 'not_ready_unavailable'
  /** UNKNOWN "No leader info available in response": a follower while no leader is elected. */
  | 'no_leader_info'
  /** INTERNAL (13) "Received RST_STREAM", though written. */
  | 'rst_stream_written'
  /** UNAVAILABLE without a type or an informative text, not written. */
  | 'unavailable_unwritten'
  /** A repeated append is acknowledged without its position in the log. */
  | 'repeat_without_position'
  /** PERMISSION_DENIED. */
  | 'access_denied'
  /** INVALID_ARGUMENT with a trailer that the client does not know: KurrentDB's limit for one event. */
  | 'event_too_large'

export type ReadTrick =
  /** Never answered. */
  | 'silent'
  /** One event, then nothing more. */
  | 'silent_midway'
  /** One event, then the connection dies. */
  | 'connection_lost_midway'
  | 'not_ready'
  | 'unavailable'
  | 'access_denied'
  /** UNKNOWN "Unexpected ReadAllResult: Error": any failure of the server to read its log. */
  | 'failed'

export type SubscribeTrick =
  /** Not even confirmed: a frozen server. */
  | 'silent'
  /** Dropped like `too_slow` below, after part of the history. */
  | 'too_slow_midway'
  /** Confirmed and caught up, then silent forever despite new events: no quorum. */
  | 'stalled'
  /** Ends without an error after the history. */
  | 'ended'
  | 'unavailable'
  | 'access_denied'

/** Clients read the nodes' gossip to find the leader. */
type GossipTrick =
  /** Never answered. */
  'silent'

/** How an open subscription can end. */
export type Drop =
  /** ABORTED "Consumer too slow to handle event while live"; fast consumers get it too. */
  | 'too_slow'
  | 'ended'
  | 'unavailable'
  /** Its connection dies. */
  | 'connection_lost'

export type Tricks = {
  readonly append: AppendTrick
  readonly read: ReadTrick
  readonly subscribe: SubscribeTrick
  readonly gossip: GossipTrick
}

/** The scripted faults of the stand-in, and counts of the calls it received. */
export class StandInScript {
  readonly #next: { readonly [Call in keyof Tricks]: Tricks[Call][] } = {
    append: [],
    read: [],
    subscribe: [],
    gossip: [],
  }
  readonly #always: { -readonly [Call in keyof Tricks]: Tricks[Call] | null } = {
    append: null,
    read: null,
    subscribe: null,
    gossip: null,
  }
  /** Calls that reached the server, including refused and unanswered ones. */
  readonly calls: Record<keyof Tricks, number> = { append: 0, read: 0, subscribe: 0, gossip: 0 }

  /** Scripts the next calls of this kind, one trick each, in this order; later calls are normal. */
  next<Call extends keyof Tricks>(call: Call, ...tricks: Tricks[Call][]): void {
    this.#next[call].push(...tricks)
  }

  /** Scripts every call of this kind from now on. */
  always<Call extends keyof Tricks>(call: Call, trick: Tricks[Call]): void {
    this.#always[call] = trick
  }

  /** All calls are normal from now on. */
  good(): void {
    for (const call of ['append', 'read', 'subscribe', 'gossip'] as const) {
      this.#next[call].length = 0
      this.#always[call] = null
    }
  }

  /** For the server: the trick for this call, or null. */
  take<Call extends keyof Tricks>(call: Call): Tricks[Call] | null {
    this.calls[call] += 1
    return this.#next[call].shift() ?? this.#always[call]
  }
}
