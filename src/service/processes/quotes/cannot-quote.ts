import type { CourierMode } from '../../couriers/couriers.ts'
import { connectionErrorReasons } from '../../domain/quote.ts'
import { Problem } from '../../errors.ts'
import { endedInTime } from '../../pause.ts'
import type { ProcessServices } from '../process-services.ts'

/** What the courier last said is usually known. One that does not answer this soon is asked anyway. */
const describedWithinMs = 1_000

/** Whether the courier says that it has no quotes, so that it is not asked for one. */
export async function cannotQuote(
  { couriers }: Pick<ProcessServices, 'couriers'>,
  mode: CourierMode,
  withinMs = describedWithinMs,
): Promise<boolean> {
  const waitMs = Math.min(withinMs, describedWithinMs)
  const described = await endedInTime(couriers.describe(mode), waitMs)
  return described?.capabilities.quote === false
}

export function quotesNotSupported(): Problem {
  const reason = 'quotes_not_supported'
  return new Problem('not_supported_by_courier', {
    errors: [{ pointer: '/courier_connection_id', reason, detail: connectionErrorReasons[reason] }],
  })
}
