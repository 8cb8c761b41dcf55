import { Button } from '@mantine/core'
import IconAlertOctagon from '@tabler/icons-react/icons/IconAlertOctagon'
import IconCheck from '@tabler/icons-react/icons/IconCheck'
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck'
import IconCopy from '@tabler/icons-react/icons/IconCopy'
import IconRefresh from '@tabler/icons-react/icons/IconRefresh'
import IconTicketOff from '@tabler/icons-react/icons/IconTicketOff'
import IconUserExclamation from '@tabler/icons-react/icons/IconUserExclamation'
import { type ReactNode, useRef } from 'react'
import type { Operation } from '../../client/methods.ts'
import { useCopy } from '../parts/copyable.tsx'
import { useNow } from '../parts/times.tsx'
import { CourierAnswers } from './courier-answers.tsx'
import { OtherShipments } from './other-shipments.tsx'
import { messageFor, tellOperation } from './why.ts'

type WhatProps = { readonly operation: Operation; readonly acts: ReactNode }

/** Why the operation is here, what to do about it, and the acts for it. */
export function WhatToDo({ operation, acts }: WhatProps) {
  const now = useNow(operation.workspace_id)
  const { what, next } = tellOperation(operation, now)
  const { tone, icon: Icon } = lookOf(operation)
  return (
    <section className="what-to-do" data-tone={tone} aria-label="What to do">
      <Icon size={22} className="what-icon" aria-hidden />
      <div>
        <p className="what">{what}</p>
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

/** What the service knows beside the operation, where it helps to decide. */
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
    <details className="courier-message">
      <summary>Message for the courier</summary>
      <pre ref={shown}>{text}</pre>
      <Button
        variant="default"
        leftSection={done === 'copied' ? <IconCheck size={14} /> : <IconCopy size={14} />}
        onClick={copy}
      >
        {done === 'copied' ? 'Copied' : 'Copy the message'}
      </Button>
      {done === 'selected' && (
        <span className="reason" role="status">
          {' '}
          Not copied: it is selected, press Ctrl C or ⌘C.
        </span>
      )}
    </details>
  )
}
