import { Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useLocation } from 'wouter'
import type { Operation } from '../../client/methods.ts'
import { useSession } from '../session.tsx'

/** How long the way back to the decided operation is offered. */
const offeredMs = 10_000

/**
 * Opens the operation that has waited longest for a decision, once another one is decided. If none
 * waits, or it cannot be read, the decided one stays on the screen.
 */
export function useOpenNext() {
  const { client } = useSession()
  const [, goTo] = useLocation()
  return async (decided: Operation) => {
    const waiting = await client.operations
      .list({ status: 'needs_review', snoozed: 'false', order: 'oldest', limit: 2 })
      .catch(() => null)
    // The list lags by moments, so it may still name the decided one.
    const next = waiting?.data.find(({ id }) => id !== decided.id)
    if (next === undefined) return
    goTo(`/operations/${next.id}`)
    const back = `/operations/${decided.id}`
    const { surplus_guide_numbers: surplus } = decided
    notifications.show({
      id: back,
      title: `Decided: ${decided.external_reference}`,
      message: (
        <>
          {surplus.length > 0 && <p>Ask the courier to cancel {surplus.join(', ')}.</p>}
          <Anchor
            component="button"
            size="sm"
            onClick={() => {
              goTo(back)
              notifications.hide(back)
            }}
          >
            Back to it
          </Anchor>
        </>
      ),
      autoClose: offeredMs,
      closeButtonProps: { 'aria-label': 'Dismiss' },
    })
  }
}
