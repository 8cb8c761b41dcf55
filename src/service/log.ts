import type { BaseLogger } from 'pino'

/** The part of the logger that code needs. The entry point creates the only pino instance. */
export type Log = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>
