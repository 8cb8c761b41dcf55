import { BatcherFull } from '../../database/batcher.ts'
import { cameWhileConnecting } from '../../database/lean-client.ts'
import { errorTable, Problem } from '../../errors.ts'
import {
  AppendUnknown,
  EventStoreOverloaded,
  EventStoreUnavailable,
  HistoryDiverged,
  LedgerStopped,
} from '../../event-store/event-store.ts'
import { NotExecuted } from '../../processes/calls/not-executed.ts'
import { ledgerDamaged } from '../../processes/recovery/ledger-guard.ts'
import { VaultOverloaded, VaultUnavailable } from '../../security/vault/vault.ts'

const byFastifyCode: Readonly<Record<string, Problem>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new Problem('unsupported_media_type'),
  FST_ERR_CTP_BODY_TOO_LARGE: new Problem('body_too_large'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new Problem('invalid_request', {
    detail: 'The body is shorter or longer than Content-Length says.',
  }),
  FST_ERR_BAD_URL: new Problem('not_found'),
  FST_ERR_MAX_PARAM_LENGTH: new Problem('not_found'),
}

/**
 * Turns anything thrown into the problem that the caller sees. A refusal passes unchanged. An
 * unavailable dependency is a 503 that says whether the change may have happened. Everything else is
 * `internal_error`, without details.
 */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof NotExecuted) {
    const { reason, options } = problemOf(error.cause)
    return new Problem(reason, { ...options, outcome: 'not_executed', cause: error.cause })
  }
  if (error instanceof BatcherFull) return new Problem('overloaded', { cause: error })
  if (error instanceof VaultOverloaded) return new Problem('overloaded', { cause: error })
  // No event names a vault row that was not acknowledged, so nothing was executed.
  if (error instanceof VaultUnavailable) return away(error, 'not_executed')
  if (error instanceof HistoryDiverged || error instanceof LedgerStopped) return ledgerDamaged()
  if (error instanceof EventStoreOverloaded) return new Problem('overloaded', { cause: error })
  if (error instanceof EventStoreUnavailable) return away(error, 'not_executed')
  if (error instanceof AppendUnknown) return away(error, 'unknown')
  const code = codeOf(error)
  const known = byFastifyCode[code]
  if (known !== undefined) return known
  const lost = databaseLoss(error, code)
  if (lost === 'before') return away(error, 'not_executed')
  if (lost === 'during') return away(error, 'unknown')
  if (isClientFault(error, code)) return new Problem('invalid_request', { cause: error })
  return new Problem('internal_error', { cause: error })
}

function away(cause: unknown, outcome: 'not_executed' | 'unknown'): Problem {
  return new Problem('dependency_unavailable', {
    outcome,
    cause,
    ...(isDiskFull(cause) ? { detail: diskFullDetail } : {}),
  })
}

const diskFullDetail = `The disk of the database is full. ${errorTable.dependency_unavailable.remedy}`

function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return codeOf(error) === '53100' || isDiskFull(error.cause)
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

/** Fastify's own errors about a request carry a 4xx status. */
function isClientFault(error: unknown, code: string): boolean {
  if (!code.startsWith('FST_') && code !== 'ECONNRESET') return false
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 0
  return status >= 400 && status < 500
}

/** SQLSTATEs and error codes that mean that the session never began. */
const refusedBefore = new Set(['57P03', '53300', 'ECONNREFUSED', 'ENOENT', 'ENOTFOUND'])
const brokenDuring = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT'])
/**
 * Classes of SQLSTATE: connection lost, insufficient resources such as disk, shutdown, system
 * error.
 */
const serverTrouble = /^(08|53|57P|58)/

/**
 * Whether the error means that the database was lost, and if so, whether before a statement could be
 * sent or while one may have been executing.
 */
function databaseLoss(error: unknown, code = codeOf(error)): 'before' | 'during' | null {
  if (!(error instanceof Error)) return null
  if (refusedBefore.has(code) || /timeout exceeded when trying to connect/i.test(error.message)) {
    return 'before'
  }
  // The server rolls back the statement that it refuses, but an earlier one may have been executed.
  if (serverTrouble.test(code)) return cameWhileConnecting(error) ? 'before' : 'during'
  if (brokenDuring.has(code)) return 'during'
  // node-postgres has no code for these.
  if (
    /Connection terminated|Client has encountered a connection error|Query read timeout/i.test(
      error.message,
    )
  ) {
    return 'during'
  }
  // If every address of a host name refuses, Node wraps the errors in one.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every((one) => databaseLoss(one) === 'before') ? 'before' : 'during'
  }
  return null
}
