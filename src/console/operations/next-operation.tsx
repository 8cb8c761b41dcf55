import { Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useLocation } from 'wouter'
import type { Operation } from '../../client/methods.ts'
import { useSession } from '../session.tsx'

/** How long the link back to the decided operation is shown. */
const offeredMs = 10_000

/**
 * After a decision, opens the operation that has waited longest. If none is waiting, or the list
 * cannot be read, the decided operation stays on the screen.
 */
export function useOpenNext() {
  const { client } = useSession()
  const [, goTo] = useLocation()
  return async (decided: Operation) => {
    const waiting = await client.operations
      .list({ status: 'needs_review', snoozed: 'false', order: 'oldest', limit: 2 })
      .catch(() => null)
    // The list lags by moments, so it may still contain the decided operation.
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
            Back
          </Anchor>
        </>
      ),
      autoClose: offeredMs,
      closeButtonProps: { 'aria-label': 'Dismiss' },
    })
  }
}
