import type { Json } from '../../domain/decider.ts'
import { newDataKey, seal, unseal, unwrapKey, type WrappedKey, wrapKey } from './encryption.ts'
import type { MasterKeys } from './master-keys.ts'

/** Seals the parts of a resource that has a data key of its own. */
export type PartSealer<Part> = {
  readonly seal: (part: Part, content: Json) => Buffer
  /** Throws SealBroken for what was sealed in another place. */
  readonly open: (part: Part, sealed: Buffer) => Json
}

export type OwnKeySealer<Place, Part> = {
  /** With a new data key, to be stored as it is wrapped. */
  readonly begin: (at: Place) => PartSealer<Part> & { readonly wrapped: WrappedKey }
  /** Throws SealBroken if no available master key opens the data key in this place. */
  readonly open: (at: Place, wrapped: WrappedKey) => PartSealer<Part>
  /** The data key under the current master key. */
  readonly rewrap: (at: Place, wrapped: WrappedKey) => WrappedKey
}

/** What binds sealed data to its place: texts that name the resource, and those that name the part. */
type Names<Place, Part> = {
  readonly resource: (at: Place) => readonly string[]
  readonly part: (part: Part) => readonly string[]
}

export function ownKeySealer<Place, Part>(
  keys: MasterKeys,
  names: Names<Place, Part>,
): OwnKeySealer<Place, Part> {
  const under = (dataKey: ReturnType<typeof newDataKey>, at: Place): PartSealer<Part> => {
    const partsOf = (part: Part) => [...names.resource(at), ...names.part(part)]
    return {
      seal: (part, content) => seal(dataKey, Buffer.from(JSON.stringify(content)), partsOf(part)),
      open: (part, sealed) =>
        JSON.parse(unseal(dataKey, sealed, partsOf(part)).toString('utf8')) as Json,
    }
  }
  return {
    begin(at) {
      const dataKey = newDataKey()
      return { ...under(dataKey, at), wrapped: wrapKey(keys, dataKey, names.resource(at)) }
    },
    open: (at, wrapped) => under(unwrapKey(keys, wrapped, names.resource(at)), at),
    rewrap(at, wrapped) {
      const parts = names.resource(at)
      return wrapKey(keys, unwrapKey(keys, wrapped, parts), parts)
    },
  }
}
