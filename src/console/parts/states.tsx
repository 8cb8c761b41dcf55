import type { ReactNode } from 'react'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { isAway } from './recovery.ts'

/** What a screen shows while data is loading, or instead of data. */

export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="state" role="status">
      Loading {what}…
    </p>
  )
}

type EmptyProps = {
  readonly title: string
  /** Takes the place of the whole screen. */
  readonly isScreen?: boolean
  readonly children?: ReactNode
}

export function Empty({ title, isScreen = false, children }: EmptyProps) {
  const Heading = isScreen ? 'h1' : 'h2'
  return (
    <section className="state">
      <Heading className="state-title">{title}</Heading>
      {children !== undefined && <p>{children}</p>}
    </section>
  )
}

type FailedProps = {
  readonly error: unknown
  readonly isScreen?: boolean
  readonly again?: (() => void) | undefined
}

/** An error with the service's explanation, and the request id for support. */
export function Failed({ error, isScreen = false, again }: FailedProps) {
  if (error instanceof ShippingLedgerError && error.reason === 'not_found') {
    return <NotFound isScreen={isScreen} />
  }
  const Heading = isScreen ? 'h1' : 'h2'
  return (
    <section className="state failed" role="alert">
      <Heading className="state-title">This could not be done</Heading>
      <Said error={error} />
      {again !== undefined && isAway(error) && <p>This page tries again every few seconds.</p>}
      {again !== undefined && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </section>
  )
}

/** The same text for an id that never existed and one out of reach: they must look the same. */
export function NotFound({ isScreen = false }: Pick<EmptyProps, 'isScreen'>) {
  return (
    <Empty title="Not found" isScreen={isScreen}>
      Nothing of this id is within this key’s reach. Check the id, the mode (test or live) and the
      workspace of the key.
    </Empty>
  )
}

type RefusedProps = { readonly error: unknown; readonly children?: ReactNode }

/** Shown below the attempted act; empty unless it was refused. */
export function Refused({ error, children }: RefusedProps) {
  if (error === null || error === undefined) return null
  return (
    <div className="refusal" role="alert">
      {children !== undefined && <p>{children}</p>}
      <Said error={error} />
    </div>
  )
}

/** The service's explanation in one line. */
export function Said({ error }: { readonly error: unknown }) {
  if (!(error instanceof ShippingLedgerError)) return <p>{String(error)}</p>
  return (
    <p>
      {sentenceOf(error)}
      {error.requestId !== null && (
        <>
          {' '}
          Request <code>{error.requestId}</code>.
        </>
      )}
    </p>
  )
}

/** The client's message begins with the reason; a person reads the rest. */
export function sentenceOf(error: ShippingLedgerError): string {
  const sentence = error.message.replace(/^[a-z_]+: /, '')
  const fields = error.errors.map(
    ({ pointer, detail }) => `${pointer.replace(/^.*\//, '')}: ${detail}`,
  )
  return [sentence, ...fields].join(' ')
}
