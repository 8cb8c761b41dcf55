import { i18n } from '@lingui/core'
import { Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useLocation } from 'wouter'
import type { Operation } from '../../client/methods.ts'
import { useSession } from '../session.tsx'
import { listed } from './listed.ts'

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
      title: i18n.t('Decided: {reference}', { reference: decided.external_reference }),
      message: (
        <>
          {surplus.length > 0 && (
            <p>{i18n.t('Ask the courier to cancel {guides}.', { guides: listed(surplus) })}</p>
          )}
          <Anchor
            component="button"
            size="sm"
            onClick={() => {
              goTo(back)
              notifications.hide(back)
            }}
          >
            {i18n.t('Back')}
          </Anchor>
        </>
      ),
      autoClose: offeredMs,
      closeButtonProps: { 'aria-label': i18n.t('Dismiss') },
    })
  }
}
