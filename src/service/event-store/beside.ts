/** Personal data or free text to which events refer by `ref`, encrypted under the key of a vault row. */
export type SealedItem = {
  readonly ref: string
  readonly vaultRef: string
  readonly payload: Buffer
}

export type VaultOwner = {
  readonly organizationId: string
  readonly workspaceId: string
  /** For notes of decisions and comments, the operation's id: erasing the person keeps them. */
  readonly shipmentId: string
}

/** A person's data, encrypted under a key of its own, which a master key wraps. */
export type SealedRow = VaultOwner & {
  readonly ref: string
  readonly masterKeyId: string
  readonly wrappedKey: Buffer
  readonly payload: Buffer
}

/** What an attempt to call a courier needs besides its intent. */
export type Attempt = VaultOwner & {
  /**
   * A place in the month's quota. `isUnread`: the caller has not read the stream, and learns if the
   * shipment has had a place before. Null for a cancellation, which needs none.
   */
  readonly reservation: { readonly livemode: boolean; readonly isUnread: boolean } | null
  /**
   * The clock of a test workspace as the intent assumes it; null in live mode. The attempt is noted, so
   * that advancing the clock waits for it. `operationId` only for a cancellation.
   */
  readonly clock: { readonly offsetMs: number; readonly operationId: string | null } | null
}

/** What is durable no later than the events of an append. */
export type Beside = {
  readonly row?: SealedRow
  readonly items?: readonly SealedItem[]
  readonly attempt?: Attempt
}

type SandboxClock = { readonly offsetMs: number; readonly advancingTo: Date | null }

/** Why an attempt is not recorded. Nothing was written, neither events nor what was beside them. */
export type Withheld =
  /** The stream was not read, and the shipment has had a place before. */
  | { readonly kind: 'known' }
  /** No place is left in the month's quota at this time. */
  | { readonly kind: 'exceeded'; readonly at: Date }
  | { readonly kind: 'suspended' }
  /** The workspace's clock is not as assumed, or is being advanced. */
  | { readonly kind: 'clock_moved'; readonly clock: SandboxClock }

/** What is stored before an event, or with it; its stream has this many events. */
export type BesideFirst = Pick<Beside, 'row' | 'attempt'> & {
  readonly version: number
  /** Refused while the ledger is damaged. */
  readonly isIntent: boolean
}

/** `stopped`: the ledger has lost events and is not recovered yet. */
export type StoredFirst = Withheld | { readonly kind: 'stopped' } | null

const withheldKinds: ReadonlySet<string> = new Set<Withheld['kind']>([
  'known',
  'exceeded',
  'suspended',
  'clock_moved',
])

export function isWithheld<Other extends { readonly kind: string }>(
  outcome: Other | Withheld,
): outcome is Withheld {
  return withheldKinds.has(outcome.kind)
}

/** The rows and attempts of several appends, numbered from 1, as the database's functions take them. */
export function besideJson(appends: readonly BesideFirst[]): string | null {
  const rows = appends.flatMap(({ row, attempt, version, isIntent }, index) => {
    const owner = row ?? attempt
    if (owner === undefined) return []
    return [
      {
        append: index + 1,
        version,
        is_intent: isIntent,
        organization_id: owner.organizationId,
        workspace_id: owner.workspaceId,
        shipment_id: owner.shipmentId,
        ...(row && {
          ref: row.ref,
          master_key_id: row.masterKeyId,
          wrapped_key: row.wrappedKey.toString('base64'),
          payload: row.payload.toString('base64'),
        }),
        ...(attempt && attemptJson(attempt)),
      },
    ]
  })
  return rows.length === 0 ? null : JSON.stringify(rows)
}

function attemptJson({ reservation, clock }: Attempt) {
  return {
    ...(reservation && { livemode: reservation.livemode, is_unread: reservation.isUnread }),
    ...(clock && { offset_ms: clock.offsetMs, operation_id: clock.operationId }),
  }
}

/** What the database's functions return for one append. */
type BesideAnswer = {
  readonly status: string
  /** The time on the database's clock. */
  readonly at: Date
  /** The clock of the workspace; null if it was never advanced. */
  readonly offsetMs: string | number | null
  readonly advancingTo: Date | null
}

/** Null if nothing was withheld. */
export function storedFirst({ status, at, offsetMs, advancingTo }: BesideAnswer): StoredFirst {
  switch (status) {
    case 'known':
    case 'suspended':
    case 'stopped':
      return { kind: status }
    case 'exceeded':
      return { kind: status, at }
    case 'clock_moved':
      return { kind: status, clock: { offsetMs: Number(offsetMs ?? 0), advancingTo } }
    default:
      return null
  }
}
