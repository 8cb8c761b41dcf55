/** What an append may meet. "Written" says whether the events are in the log afterwards. */
export type AppendTrick =
  /** Heard and never answered, not written: a frozen server, or a leader without its quorum. */
  | 'silent'
  /** Written, and never answered. */
  | 'written_silent'
  /** Written; then the connection dies: UNAVAILABLE, as at a kill of the server (4 of 8 were so). */
  | 'written_answer_lost'
  /** The connection dies before anything was written: the other 4 of 8. */
  | 'unwritten_connection_lost'
  /** Written, and answered only after `lateMs`: longer than the caller's deadline. */
  | 'late_answer'
  /** Written only after `lateMs`, and answered then: a server that thaws and goes on where it was. */
  | 'late_write'
  /** DEADLINE_EXCEEDED at once for a write that is in flight, and written a moment later. */
  | 'deadline_exceeded_in_flight'
  /** DEADLINE_EXCEEDED for what is not written: a leader that has lost its quorum. */
  | 'deadline_exceeded_unwritten'
  /** ABORTED "Operation timed out", though written: the server's own prepare timeout. */
  | 'timed_out_written'
  /** UNKNOWN "Could not recognize Server Is Not Ready", at once. */
  | 'not_ready'
  /** UNAVAILABLE "Server Is Not Ready": the same by the path of single calls. */
  | 'not_ready_unavailable'
  /** UNKNOWN "No leader info available in response": a follower while no leader is elected. */
  | 'no_leader_info'
  /** INTERNAL (13) "Received RST_STREAM", though written. */
  | 'rst_stream_written'
  /** UNAVAILABLE without a type or a text that tells anything, not written. */
  | 'unavailable_unwritten'
  /** A repeated append is acknowledged without its place in the log. */
  | 'repeat_without_position'
  /** PERMISSION_DENIED. */
  | 'access_denied'

export type ReadTrick =
  /** Never answered. */
  | 'silent'
  /** One event, then nothing any more. */
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
  /** Dropped as below after some of the history. */
  | 'too_slow_midway'
  /** Confirmed and caught up, then silent forever although events come: no quorum. */
  | 'stalled'
  /** Ends in good order after the history: no error at all. */
  | 'ended'
  | 'unavailable'
  | 'access_denied'

/** Nodes are asked for their gossip when a client looks for the leader. */
type GossipTrick =
  /** Never answered. */
  'silent'

/** How a subscription that is open can be ended. */
export type Drop =
  /** ABORTED "Consumer too slow to handle event while live": also fast consumers get it. */
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

/** What the stand-in is to do wrong, and how often it was asked for anything. */
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
  /** Calls that reached the server, refused and unanswered ones too. */
  readonly calls: Record<keyof Tricks, number> = { append: 0, read: 0, subscribe: 0, gossip: 0 }

  /** The next calls of this kind, a trick each, in this order; then as before. */
  next<Call extends keyof Tricks>(call: Call, ...tricks: Tricks[Call][]): void {
    this.#next[call].push(...tricks)
  }

  /** Every call of this kind from now on. */
  always<Call extends keyof Tricks>(call: Call, trick: Tricks[Call]): void {
    this.#always[call] = trick
  }

  /** As it should be, from now on. */
  good(): void {
    for (const call of ['append', 'read', 'subscribe', 'gossip'] as const) {
      this.#next[call].length = 0
      this.#always[call] = null
    }
  }

  /** For the server: what this call meets, or null. */
  take<Call extends keyof Tricks>(call: Call): Tricks[Call] | null {
    this.calls[call] += 1
    return this.#next[call].shift() ?? this.#always[call]
  }
}
