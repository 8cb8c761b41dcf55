import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { Box, Button } from '@mantine/core'
import IconAlertOctagon from '@tabler/icons-react/icons/IconAlertOctagon'
import IconCheck from '@tabler/icons-react/icons/IconCheck'
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck'
import IconCopy from '@tabler/icons-react/icons/IconCopy'
import IconRefresh from '@tabler/icons-react/icons/IconRefresh'
import IconTicketOff from '@tabler/icons-react/icons/IconTicketOff'
import IconUserExclamation from '@tabler/icons-react/icons/IconUserExclamation'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { Operation } from '../../client/methods.ts'
import { formatNumber } from '../languages/language.ts'
import { useCopy } from '../parts/copyable.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { useMay } from '../parts/scopes.tsx'
import { stateWord } from '../parts/state-words.ts'
import { Moment, useClock } from '../parts/times.tsx'
import { polledEvery } from '../reading/polled.ts'
import { useCallsOfLastHour } from '../service/calls-of-last-hour.tsx'
import { useSession } from '../session.tsx'
import { messageFor } from './courier-message.ts'
import { tellOperation } from './tell-operation.ts'

type WhatProps = {
  readonly operation: Operation
  readonly acts: ReactNode
  /** A dialog of the actions is open. */
  readonly isDeciding: boolean
}

/** Why the operation needs attention, what to do about it, and the actions. */
export function WhatToDo({ operation, acts, isDeciding }: WhatProps) {
  const section = useRef<HTMLElement>(null)
  useFocusWhenDone(section, operation.status, isDeciding)
  const { now, isRead } = useClock(operation.workspace_id)
  const { what, next } = tellOperation(operation, isRead ? now : null)
  const { tone, icon: Icon } = lookOf(operation)
  return (
    <section
      className="what-to-do"
      data-tone={tone}
      aria-label={i18n.t('What to do')}
      tabIndex={-1}
      ref={section}
    >
      <Icon size={22} className="what-icon" aria-hidden />
      <div>
        <p className="what">{what}</p>
        <Concluded operation={operation} />
        {next !== '' && <p className="what-next">{next}</p>}
        <MoreToKnow operation={operation} />
        {acts}
      </div>
      {(operation.status !== 'resolved' || operation.surplus_guide_numbers.length > 0) && (
        <CourierMessage operation={operation} />
      )}
    </section>
  )
}

/**
 * A decided operation has fewer actions. If the focused one disappears, the focus moves to the result. If
 * it disappears behind an open dialog, closing the dialog moves the focus to the screen, and then on.
 */
function useFocusWhenDone(
  section: RefObject<HTMLElement | null>,
  status: Operation['status'],
  isDeciding: boolean,
): void {
  const before = useRef({ status, isDeciding })
  useEffect(() => {
    const isChanged = before.current.status !== status || before.current.isDeciding !== isDeciding
    const isClosed = before.current.isDeciding && !isDeciding
    before.current = { status, isDeciding }
    const { activeElement, body } = document
    const isLost = activeElement === body || (isClosed && activeElement?.id === 'screen')
    if (isChanged && isLost) section.current?.focus()
  }, [section, status, isDeciding])
}

/** Who concluded a resolved operation, and when. */
function Concluded({ operation }: Pick<WhatProps, 'operation'>) {
  const { resolution, workspace_id: workspaceId } = operation
  if (resolution === null) return null
  const { by, decided_by: decidedBy, operator_id: operatorId } = resolution
  const at = <Moment at={resolution.at} workspaceId={workspaceId} />
  if (by !== 'operator') {
    return (
      <p className="what-next">
        <Trans id="Concluded automatically on {at}." values={{ at }} />
      </p>
    )
  }
  const who = decidedBy ?? operatorId
  return (
    <p className="what-next">
      {who === null ? (
        <Trans id="Decided by a person on {at}." values={{ at }} />
      ) : (
        <Trans id="Decided by {who} on {at}." values={{ who: <bdi>{who}</bdi>, at }} />
      )}
    </p>
  )
}

/** Other facts that help to decide. */
function MoreToKnow({ operation }: Pick<WhatProps, 'operation'>) {
  const { status, reason_for_review: reason, resolutions } = operation
  if (status !== 'needs_review') return null
  if (reason?.code === 'deadline_passed') return <CourierAnswers operation={operation} />
  const wasNothing = resolutions.at(-1)?.decision === 'nothing_created'
  return reason?.code === 'contradicted' && wasNothing ? (
    <OtherShipments operation={operation} />
  ) : null
}

function lookOf({ status, contradicted, surplus_guide_numbers: surplus }: Operation) {
  if (surplus.length > 0) return { tone: 'warn', icon: IconTicketOff } as const
  if (status === 'resolved') return { tone: 'plain', icon: IconCircleCheck } as const
  if (contradicted) return { tone: 'bad', icon: IconAlertOctagon } as const
  if (status === 'needs_review') return { tone: 'warn', icon: IconUserExclamation } as const
  return { tone: 'info', icon: IconRefresh } as const
}

/** A message for the courier, ready to be sent. */
function CourierMessage({ operation }: { readonly operation: Operation }) {
  const text = messageFor(operation)
  const shown = useRef<HTMLPreElement>(null)
  const { done, copy } = useCopy(text, () => {
    if (shown.current !== null) getSelection()?.selectAllChildren(shown.current)
  })
  return (
    <Box component="details" maw="24rem" fz="sm" className="courier-message">
      <summary>{i18n.t('Message for the courier')}</summary>
      <pre ref={shown}>{text}</pre>
      <Button
        variant="default"
        leftSection={done === 'copied' ? <IconCheck size={14} /> : <IconCopy size={14} />}
        onClick={copy}
      >
        {done === 'copied' ? i18n.t('Copied') : i18n.t('Copy the message')}
      </Button>
      {done === 'selected' && (
        <span className="reason" role="status">
          {' '}
          {i18n.t('Not copied: it is selected, press Ctrl C or ⌘C.')}
        </span>
      )}
    </Box>
  )
}

/** Shows whether a courier that gave no clear answer is answering other calls. */
function CourierAnswers({ operation }: { readonly operation: Operation }) {
  const { workspace_id: workspaceId, provider_code: code, livemode } = operation
  const counts = useCallsOfLastHour(livemode ? undefined : workspaceId)?.get(code)
  if (counts === undefined || counts.calls === 0) return null
  const isDown = counts.failed === counts.calls
  const of = { failed: formatNumber(counts.failed), calls: formatNumber(counts.calls) }
  return (
    <p className="what-next">
      {isDown
        ? i18n.t('The courier may be down: {failed} of {calls} calls failed in the last hour.', of)
        : i18n.t(
            'The courier answers: {failed} of {calls} calls failed in the last hour.',
            of,
          )}{' '}
      <Link href="/health">{i18n.t('Health')}</Link>
    </p>
  )
}

/** The shop may ship the order again while the operator reads. */
const everyMs = 5_000
/** The list of shipments has all of them. */
const shownMax = 5

/**
 * Shows whether the order was shipped again: the shop's other shipments with the same reference.
 */
function OtherShipments({ operation }: { readonly operation: Operation }) {
  const { client } = useSession()
  const { workspace_id, external_reference, shipment_id: ownId } = operation
  const isAllowed = useMay('shipments:read')
  const { data } = useQuery({
    queryKey: ['shipments', 'with reference', workspace_id, external_reference],
    queryFn: ({ signal }) =>
      client.shipments.list({ workspace_id, external_reference, limit: shownMax + 1 }, { signal }),
    enabled: isAllowed,
    refetchInterval: polledEvery(everyMs),
  })
  if (data === undefined) return null
  const others = data.data.filter(({ id }) => id !== ownId)
  if (others.length === 0) {
    return (
      <p className="what-next">{i18n.t('This shop has no other shipments with this reference.')}</p>
    )
  }
  const query = new URLSearchParams({ workspace_id, reference: external_reference })
  return (
    <p className="what-next">
      {i18n.t('Other shipments with this reference:')}{' '}
      {others.slice(0, shownMax).map(({ id, status, guide_number: guide }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link href={hrefOf(id)}>{guide ?? id}</Link> ({stateWord(status)})
        </span>
      ))}
      . <Link href={`/shipments?${query}`}>{i18n.t('Show them')}</Link>
    </p>
  )
}
