import { rfc3339 } from '../src/domain/decider.ts'
import { firstPollAt, issuedAtOf } from '../src/domain/polling.ts'
import { isTracked } from '../src/domain/shipment.ts'
import { hasEnded } from '../src/domain/tracking.ts'
import { type Changed, foldedColumns, foldedDdl } from './fold-batch.ts'
import type { FoldedPart } from './folded.ts'
import { index } from './shipments.ts'

/**
 * The guides to follow. The poller reads them in the order of `position`, and so meets each after
 * anything happened to it (processes/poll-plan.ts).
 */
export const tracking: FoldedPart = {
  rowsOf: { tracking: { key: 'shipment_id', rows: trackingRows } },
  ddl: (table) => [
    `CREATE TABLE IF NOT EXISTS ${table('tracking')} (${foldedDdl},
      position text COLLATE "C" NOT NULL,
      guide_number text COLLATE "C" NOT NULL,
      followed_from timestamptz NOT NULL,
      first_check_at timestamptz NOT NULL,
      is_followed boolean NOT NULL
    ) WITH (fillfactor = 80)`,
  ],
  indexes: (table) => {
    const name = table('tracking')
    return [
      `CREATE INDEX IF NOT EXISTS ${index(name, 'position')} ON ${name} (position)
        WHERE is_followed`,
    ]
  },
}

/** Shipments that never had a guide have no row. */
function trackingRows(changed: readonly Changed[]): readonly object[] {
  return changed
    .filter(({ state }) => state.followedGuide !== null)
    .map((each) => {
      const { state, position } = each
      return {
        ...foldedColumns(each),
        position,
        guide_number: state.followedGuide,
        followed_from: rfc3339(state.tracking.resumedAt ?? issuedAtOf(state)),
        first_check_at: rfc3339(firstPollAt(state)),
        is_followed: isTracked(state) && !hasEnded(state.tracking),
      }
    })
}
