import type { BaseLogger } from 'pino'

/** What a part needs of the logger. The entry point creates the one pino instance. */
export type Log = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>
