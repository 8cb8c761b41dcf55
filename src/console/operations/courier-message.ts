import { i18n } from '@lingui/core'
import type { Operation } from '../../client/methods.ts'
import { listed } from './listed.ts'
import { guidesOf } from './why.ts'

/** A ready-made message to the courier. */
export function messageFor(operation: Operation): string {
  const { external_reference: order, shipment_id: reference, created_at: at, type } = operation
  const call = { time: `${at.slice(0, 16).replace('T', ' ')} UTC`, order, reference }
  const isCancellation = type === 'shipment_cancellation'
  return [
    isCancellation
      ? i18n.t(
          'At {time} we asked you to cancel our guide for order {order}, client reference {reference}.',
          call,
        )
      : i18n.t(
          'At {time} we asked you to create one guide for order {order}, client reference {reference}.',
          call,
        ),
    i18n.t('We did not receive a complete answer.'),
    isCancellation ? i18n.t('Is the guide cancelled?') : questionOf(operation),
  ].join('\n')
}

function questionOf(operation: Operation): string {
  const { surplus_guide_numbers: surplusNumbers, resolution } = operation
  const numbers = guidesOf(operation)
  const guides = listed(numbers)
  const surplus = listed(surplusNumbers)
  const used = resolution?.guide_number ?? null
  if (surplusNumbers.length > 0 && used !== null) {
    return i18n.t('You list {guides}. We use {used}. Please cancel {surplus}.', {
      guides,
      used,
      surplus,
    })
  }
  if (surplusNumbers.length > 0) {
    return i18n.t('You list {guides}. Please cancel {surplus}.', { guides, surplus })
  }
  if (numbers.length > 1) {
    return i18n.t(
      'You list {count} guides: {guides}. We asked for one. Which of them has been scanned, and what does each cost? Please cancel the ones that were not handed over.',
      { count: numbers.length, guides },
    )
  }
  return i18n.t('Does a guide exist under this reference? If so, please tell us its number.')
}
