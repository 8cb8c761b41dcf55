import {
  type BundleFiles,
  BundleUnreadable,
  readBundle,
} from '../../ledger/evidence/bundle-files.ts'
import type { VerifiedBundle } from '../../ledger/evidence/verify-bundle.ts'
import { counted, printed, type Said, Undecided } from '../command.ts'

/** The files of a bundle of evidence; null if it is not a bundle. Throws Undecided if it is damaged. */
export async function bundleAt(path: string, name: string): Promise<BundleFiles | null> {
  try {
    return await readBundle(path)
  } catch (error) {
    if (!(error instanceof BundleUnreadable)) throw error
    throw new Undecided(`${name} cannot be read: ${error.message}.`, { cause: error })
  }
}

/** Adds what is proved about the bundle to what is said about its history. */
export function withBundle(said: Said, verified: VerifiedBundle): Said {
  const { shipmentId, madeAt, files, personal, events, problems } = verified
  const missing = personal?.missing ?? []
  const isOpen = problems === 0 && (missing.length > 0 || events === 0)
  const isFine = problems === 0
  const about = `A bundle of evidence about ${printed(shipmentId ?? 'no shipment')}`
  return {
    ...said,
    json: {
      ...said.json,
      ...(isOpen ? { ok: false } : {}),
      bundle: {
        shipment_id: shipmentId,
        made_at: madeAt,
        files,
        personal:
          personal === null
            ? null
            : {
                matching: personal.matching,
                bodies: personal.bodies,
                without_commitment: personal.withoutCommitment,
                erased: personal.erased,
                missing: [...missing],
              },
      },
    },
    text: [
      isFine
        ? `${about}, made ${madeAt}: ${counted(files, 'file')}, as its signed manifest lists them.`
        : `${about}.`,
      ...(personal === null ? [] : personalLines(personal)),
      ...(events === 0 ? ['Its history has no events: it proves nothing.'] : []),
      said.text,
      ...witnessLines(verified.namedWitnesses),
    ].join('\n'),
    exit: isOpen ? 'undecided' : (said.exit ?? 'fine'),
  }
}

/** About the witnesses that only the manifest names. */
function witnessLines(witnesses: VerifiedBundle['namedWitnesses']): readonly string[] {
  const missing = witnesses.filter(({ result }) => result === 'missing')
  return [
    ...missing.map(({ name }) => `The service names the witness ${name}, and it has not cosigned.`),
    ...(witnesses.length === 0
      ? []
      : ['The keys of these witnesses come only from the service: pass yours with --witness.']),
  ]
}

function personalLines({
  matching,
  bodies,
  withoutCommitment,
  erased,
  missing,
}: NonNullable<VerifiedBundle['personal']>): readonly string[] {
  return [
    `Its personal data: ${counted(matching, 'entry', 'entries')} and ${counted(bodies, 'body', 'bodies')} of requests and answers are what the events committed to.`,
    ...(withoutCommitment === 0
      ? []
      : [`${counted(withoutCommitment, 'entry', 'entries')} from before there were commitments.`]),
    ...(erased === 0 ? [] : [`${counted(erased, 'entry', 'entries')} destroyed by an erasure.`]),
    ...(missing.length === 0
      ? []
      : [`Not in it, although no erasure is on record: ${printed(missing.join(', '))}.`]),
  ]
}
