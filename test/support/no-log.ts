import type { Log } from '../../src/service/log.ts'

const quiet = () => {}
/** A log that discards everything. */
export const noLog: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
