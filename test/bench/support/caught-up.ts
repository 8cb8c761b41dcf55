import { projectionLags } from '../../../src/service/processes/service-metrics.ts'
import type { Services } from '../../../src/service/services.ts'
import { eventually } from '../../support/eventually.ts'

/** Resolves when every projection has processed every event. */
export async function caughtUp(
  { db, store }: Pick<Services, 'db' | 'store'>,
  withinMs: number,
): Promise<void> {
  await eventually(
    () => projectionLags(db, store),
    (lags) => lags.length > 0 && lags.every(({ lagSeconds }) => lagSeconds === 0),
    withinMs,
  )
}
