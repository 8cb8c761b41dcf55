import { LedgerDamaged } from '../domain/decider.ts'
import { errorTable, Problem } from '../errors.ts'
import { UnreadableEvent } from '../event-store/codec.ts'
import { CommandFailed, UsageError } from './command.ts'

/** The exit codes of a command. docs/guides/operating.md has the same table. */
export const exitCodes = { fine: 0, found: 1, undecided: 2, usage: 64 } as const
export type Exit = keyof typeof exitCodes

export const exitMeanings: Readonly<Record<Exit, string>> = {
  fine: 'Done, and nothing is wrong.',
  found: 'Found something: a problem, or a reason not to do what was asked.',
  undecided: 'Could not decide: something could not be reached or read, or a proof is missing.',
  usage: 'Wrong usage: the command line does not match the help. Nothing was done.',
}

/** Refusals of the API that are caused by the arguments. */
const wrongWords: ReadonlySet<string> = new Set(['validation_failed', 'invalid_request'])

/** Whether the error means that the ledger is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof UnreadableEvent || error instanceof LedgerDamaged
}

/** The exit code of a command that threw this. */
export function exitOf(error: unknown): Exclude<Exit, 'fine'> {
  if (error instanceof UsageError) return 'usage'
  if (error instanceof CommandFailed || isDamage(error)) return 'found'
  if (!(error instanceof Problem)) return 'undecided'
  if (wrongWords.has(error.reason)) return 'usage'
  return errorTable[error.reason].status >= 500 ? 'undecided' : 'found'
}
