import { z } from 'zod'
import { rfc3339 } from '../../domain/decider.ts'
import { Problem } from '../../errors.ts'
import { advanceLimits } from '../../processes/sandbox/advance-limits.ts'
import {
  type AdvanceReading,
  skipReasons,
  stepKinds,
  stepsDueMax,
} from '../../processes/sandbox/advance-progress.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { ApiServices } from '../api-services.ts'
import { idOf, openEnum, timestamp, typeOf } from '../openapi/schemas.ts'
import { reachableWorkspaces, workspaces } from '../workspaces/workspace-schema.ts'

const skippedSchema = z.object({
  shipment_id: idOf('shp').nullable().meta({
    description: 'The shipment. `null` for a webhook that is about none.',
  }),
  what: openEnum(stepKinds).meta({ description: 'The kind of job.' }),
  reason: openEnum(skipReasons).meta({
    description:
      '`deferred`: it cannot be done now, for example because the credentials of the connection were refused. `failed`: every try failed; the log of the service says why. `still_due`: it is due again although it was done, or it is in progress elsewhere.',
  }),
})
const advanceSchema = z.object({
  to: timestamp.meta({ description: 'The target time of the advance.' }),
  steps_done: z.int().meta({
    description: 'Jobs done so far, such as a read of the tracking of one shipment.',
  }),
  steps_due: z.int().meta({
    description: `Known jobs of shipments that are still due by then; a job that is done may add others. At most ${stepsDueMax} are counted. 0 once the clock has arrived.`,
  }),
  skipped: z.array(skippedSchema).max(advanceLimits.skippedNamed).meta({
    description:
      'Jobs that fell due and could not be done. They stay due and are tried again after the advance. Empty while the clock advances.',
  }),
  skipped_more: z.int().meta({ description: 'How many more jobs were skipped than are listed.' }),
})

export const clockSchema = z
  .object({
    object: typeOf('sandbox_clock'),
    workspace_id: idOf('ws').meta({ description: 'The workspace whose clock it is.' }),
    livemode: z.literal(false).meta({ description: 'Always `false`: only test mode has clocks.' }),
    now: timestamp.meta({ description: 'The current time of the clock.' }),
    advancing_to: timestamp.nullable().meta({
      description: 'The time that the clock is being advanced to. `null` if it is not.',
    }),
    advance: advanceSchema.nullable().meta({
      description:
        'The progress of the advance, or the result of the last one. `null` if the clock was never advanced.',
    }),
  })
  .meta({ id: 'SandboxClock', description: 'The clock of a test workspace.' })

export function clockObject(workspaceId: string, reading: AdvanceReading) {
  const { advance } = reading
  return {
    object: 'sandbox_clock' as const,
    workspace_id: workspaceId,
    livemode: false as const,
    now: rfc3339(reading.now),
    advancing_to: reading.advancingTo === null ? null : rfc3339(reading.advancingTo),
    advance: advance && {
      to: advance.to,
      steps_done: advance.stepsDone,
      steps_due: advance.stepsDue,
      skipped: [...advance.skipped],
      skipped_more: advance.skippedMore,
    },
  }
}

/** Refuses a live key. */
export function requireTestMode(principal: Principal): void {
  if (principal.livemode) throw new Problem('sandbox_only')
}

/** The named workspace, or the only one within the key's reach. */
export async function clockWorkspace(
  deps: Pick<ApiServices, 'db'>,
  principal: Principal,
  given: string | undefined,
  isChange: boolean,
): Promise<string> {
  if (given !== undefined) return (await workspaces.find(deps, principal, given)).id
  const rows = await reachableWorkspaces(deps.db, principal).limit(2).execute()
  const [only] = rows
  if (only !== undefined && rows.length === 1) return only.id
  const detail = 'The key reaches no workspace or more than one. Name one.'
  throw isChange
    ? new Problem('validation_failed', {
        errors: [{ pointer: '/workspace_id', reason: 'required', detail }],
      })
    : new Problem('invalid_filter', {
        errors: [{ pointer: '#/query/workspace_id', reason: 'required', detail }],
      })
}

export const whichWorkspace = idOf('ws').optional().meta({
  description: 'The workspace. You may leave it out if the key reaches only one.',
})
