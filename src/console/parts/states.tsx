import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { Alert, Button, EmptyState, Skeleton, Stack, Text, Title } from '@mantine/core'
import IconAlertCircle from '@tabler/icons-react/icons/IconAlertCircle'
import IconInbox from '@tabler/icons-react/icons/IconInbox'
import type { ReactNode } from 'react'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { isAway } from '../reading/use-recovery.ts'
import { errorWords, fieldOf } from './reason-words.ts'
import { ServiceText } from './service-text.tsx'

/** What a screen shows while data is loading, or instead of data. */

export function Loading() {
  return (
    <Stack className="state loading" gap="xs" px="md" py="xl">
      <p role="status" className="reason">
        {i18n.t('Loading…')}
      </p>
      <Skeleton height={14} width="70%" aria-hidden />
      <Skeleton height={14} width="55%" aria-hidden />
      <Skeleton height={14} width="62%" aria-hidden />
    </Stack>
  )
}

type EmptyProps = {
  readonly title: string
  /** Replaces the whole screen. */
  readonly isScreen?: boolean
  readonly icon?: ReactNode
  readonly children?: ReactNode
}

export function Empty({ title, isScreen = false, icon, children }: EmptyProps) {
  return (
    <EmptyState size="sm" px="md" py="xl">
      <EmptyState.Indicator>{icon ?? <IconInbox size={26} stroke={1.5} />}</EmptyState.Indicator>
      <Title order={isScreen ? 1 : 2} mb="3xs">
        {title}
      </Title>
      {children !== undefined && (
        <Text component="div" size="sm" c="dimmed" maw="34rem" ta="center">
          {children}
        </Text>
      )}
    </EmptyState>
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
  return (
    <Alert icon={<IconAlertCircle />}>
      <Title order={isScreen ? 1 : 2} mb="3xs">
        {i18n.t('Something went wrong')}
      </Title>
      <ErrorMessage error={error} />
      {again !== undefined && isAway(error) && (
        <p>{i18n.t('This page tries again every few seconds.')}</p>
      )}
      {again !== undefined && (
        <Button variant="default" onClick={again}>
          {i18n.t('Try again')}
        </Button>
      )}
    </Alert>
  )
}

/**
 * The same text for an id that does not exist and one outside the key's scope: they must be
 * indistinguishable.
 */
export function NotFound({ isScreen = false }: Pick<EmptyProps, 'isScreen'>) {
  return (
    <Empty title={i18n.t('Not found')} isScreen={isScreen}>
      {i18n.t(
        'This key cannot see anything with this id. Check the id, the mode (test or live) and the workspace of the key.',
      )}
    </Empty>
  )
}

type RefusedProps = { readonly error: unknown; readonly children?: ReactNode }

/** An error shown below the attempted action; empty if there is none. */
export function Refused({ error, children }: RefusedProps) {
  if (error === null || error === undefined) return null
  return (
    <div className="refusal" role="alert">
      {children !== undefined && <p>{children}</p>}
      <ErrorMessage error={error} />
    </div>
  )
}

/** The service's explanation and request id. */
export function ErrorMessage({ error }: { readonly error: unknown }) {
  if (!(error instanceof ShippingLedgerError)) return <p>{String(error)}</p>
  return (
    <p>
      <ErrorSentence error={error} />
      {error.requestId !== null && (
        <>
          {' '}
          <Trans
            id="Request <code>{id}</code>."
            values={{ id: error.requestId }}
            components={{ code: <code /> }}
          />
        </>
      )}
    </p>
  )
}

/** The error in the person's language, or as the service says it. */
export function ErrorSentence({ error }: { readonly error: ShippingLedgerError }) {
  return errorWords(error) ?? <ServiceText>{serviceSentence(error)}</ServiceText>
}

/** The same as a text. */
export function sentenceOf(error: ShippingLedgerError): string {
  return errorWords(error) ?? serviceSentence(error)
}

/** The client's message without the reason at its start. */
function serviceSentence(error: ShippingLedgerError): string {
  const sentence = error.message.replace(/^[a-z_]+: /, '')
  const fields = error.errors
    .filter(({ detail }) => !sentence.includes(detail))
    .map(({ pointer, detail }) => (pointer === '' ? detail : `${fieldOf(pointer)}: ${detail}`))
  return [sentence, ...fields].join(' ')
}
