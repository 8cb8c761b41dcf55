/** The types of what verify.mjs exports. */

/** A public key of a ledger (`ledgerKey`) or of a witness (`witnessKey`). */
export type Key = { readonly text: string; readonly name: string; readonly id: string }
export type KeyKind = number
export declare const ledgerKey: KeyKind
export declare const witnessKey: KeyKind
export declare function readKey(text: string, kind: KeyKind): Promise<Key | null>

export type Tree = { readonly size: number; readonly root: Uint8Array }
export type Checkpoint = Tree & {
  /** The name of the ledger. */
  readonly origin: string
  /** RFC 3339. */
  readonly time: string
}
export declare function readCheckpoint(text: string): Checkpoint | null
export declare function checkpointSigners(
  checkpoint: Checkpoint,
  keys: readonly Key[],
): Promise<readonly Key[]>

export declare function toHex(bytes: Uint8Array): string
export declare function canonical(value: unknown): string
export declare function leafOf(event: object): Promise<string>
export declare function isIncluded(
  leaf: string,
  index: number,
  proof: readonly string[],
  tree: Tree,
): Promise<boolean>

/** The files of a bundle by name; null for an entry that is not a file. */
export type BundleFiles = ReadonlyMap<string, Uint8Array | null>

export type Manifest = {
  readonly shipmentId: string
  readonly hashes: ReadonlyMap<string, string>
  readonly time: string
}
export declare function readManifest(bytes: Uint8Array): Promise<Manifest | null>
export declare function manifestSigner(
  manifest: Manifest,
  keys: readonly Key[],
): Promise<Key | null>

/** The checkpoints in a file that the user holds. */
export type HeldFile = {
  readonly file: string
  readonly checkpoints: readonly Checkpoint[]
  readonly isDamaged: boolean
}
export type Consistency = {
  readonly from: number
  readonly to: number
  readonly proof: readonly string[]
}

export type VerifyOptions = {
  readonly key?: Key | null
  readonly witnesses?: readonly Key[]
  readonly held?: readonly HeldFile[]
  readonly consistency?: readonly Consistency[]
}

export type Problem = {
  readonly problem: string
  /** The ledger event object with the problem; null if it is about something else. */
  readonly event: {
    readonly position: string
    readonly type: string
    readonly shipment_id: string | null
    readonly recorded_at: string
  } | null
}

export type Report = {
  /** 0: nothing is wrong. 1: something is. 2: undecided. */
  readonly exitCode: 0 | 1 | 2
  readonly problems: readonly Problem[]
  readonly undecided: readonly string[]
  readonly proved: readonly string[]
  readonly notProved: readonly string[]
  /** What could be read, or null. */
  readonly history: History | null
  readonly manifest: Manifest | null
  /** The checkpoint of the history, if a trusted key has signed it. */
  readonly checkpoint: (Checkpoint & { readonly signedBy: string }) | null
  readonly cosigned: readonly {
    readonly name: string
    readonly id: string
    /** Whether the user named the witness. */
    readonly isGiven: boolean
    readonly result: 'valid' | 'invalid' | 'missing'
    readonly at: string | null
  }[]
  readonly compared: { readonly confirmed: number; readonly undecided: number }
  readonly personal: {
    readonly matching: number
    readonly bodies: number
    readonly uncommitted: number
    readonly erased: number
    readonly missing: readonly string[]
  } | null
}

type History = {
  readonly header: {
    readonly scope: {
      readonly organization_id: string | null
      readonly shipment_id: string
      readonly from: null
      readonly to: null
    }
  }
  readonly events: readonly unknown[]
  readonly footer: { readonly not_sealed: number }
}

export declare function verifyBundle(files: BundleFiles, options?: VerifyOptions): Promise<Report>
export declare function reportText(report: Report): string

export declare function readBundle(path: string): Promise<BundleFiles>
export declare function readZip(zip: Buffer): Promise<ReadonlyMap<string, Buffer>>
export declare function readHeldFile(path: string, name?: string): Promise<HeldFile>
export declare function readConsistencyFile(path: string, name?: string): Promise<Consistency>
export declare function main(given: readonly string[]): Promise<0 | 1 | 2 | 64>
