import { tileWidth } from './merkle-tiles.ts'

/** A tile as C2SP tlog-tiles names it: level, index, and the number of hashes requested. */
type TilePath = { readonly level: number; readonly index: number; readonly width: number }

const levelMax = 63
const widthMax = tileWidth - 1
/** Groups of digits in an index that JavaScript can represent exactly. */
const groupsMax = 5

/** Parses `<L>/<N>[.p/<W>]`; null if the path is not in canonical form. */
export function readTilePath(path: string): TilePath | null {
  const [, level = '', groups = '', partial] =
    /^(0|[1-9]\d?)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path) ?? []
  if (level === '' || Number(level) > levelMax) return null
  const width = partial === undefined ? tileWidth : Number(partial)
  if (partial !== undefined && width > widthMax) return null
  const parts = groups.split('/')
  if (parts.length > groupsMax || (parts.length > 1 && parts[0] === 'x000')) return null
  return { level: Number(level), index: Number(groups.replace(/[x/]/g, '')), width }
}

/** The number of hashes that a tree of this size has in a level. */
export function hashesIn(size: number, level: number): number {
  return Math.floor(size / tileWidth ** level)
}
