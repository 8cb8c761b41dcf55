import type { Log } from '../../src/log.ts'

const quiet = () => {}
/** For tests that look at what happens and not at what is said. */
export const noLog: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
