import { i18n } from '@lingui/core'
import { notifications } from '@mantine/notifications'

const shownMs = 6_000

/** Shows what an action did. */
export function notify(title: string, message: string): void {
  notifications.show({
    title,
    message,
    autoClose: shownMs,
    closeButtonProps: { 'aria-label': i18n.t('Dismiss') },
  })
}
