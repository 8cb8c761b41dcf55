import type { BaseLogger } from 'pino'

/** What a part needs of the logger; the one pino instance is made by the entry point. */
export type Log = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>
