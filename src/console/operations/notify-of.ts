import { notifications } from '@mantine/notifications'
import type { Operation } from '../../client/methods.ts'

const shownMs = 6_000

/** Says what an act has done to an operation. */
export function notifyOf({ external_reference: title }: Operation, message: string): void {
  notifications.show({
    title,
    message,
    autoClose: shownMs,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  })
}
