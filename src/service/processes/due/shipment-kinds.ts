import { sql } from 'kysely'
import { deadWorkerMs, releaseDeadWorkers } from '../../queue/claim.ts'
import type { Kind } from '../../queue/run.ts'
import type { ProcessServices } from '../process-services.ts'
import { advanceOnce } from '../sandbox/sandbox-clock.ts'
import { dueInMs } from './claims-postgres.ts'
import { type JobDeps, jobKinds, performJobs } from './job-kinds.ts'

/** Slots per kind of work: a courier that does not answer blocks one of them for ten seconds. */
const slots = 4

type ShipmentDeps = JobDeps & Pick<ProcessServices, 'advance' | 'claims' | 'deliveries'>

/** The work that falls due for shipments and sandbox clocks, and the release of dead workers. */
export function shipmentKinds(deps: ShipmentDeps): readonly Kind[] {
  const jobs = jobKinds.map((job): Kind => {
    const isBackground = job.isBackground === true
    return {
      name: job.name,
      slots: isBackground ? 1 : slots,
      dueIn: { [job.name]: dueInMs[job.name], ahead: dueInMs.ahead },
      runOnce: ({ id, foundMore }) =>
        performJobs(deps, job, id, isBackground ? undefined : foundMore),
    }
  })
  return [
    ...jobs,
    {
      name: 'advance',
      slots,
      dueIn: {
        advance: sql`SELECT 0 FROM sandbox_clocks WHERE advancing_to IS NOT NULL LIMIT 1`,
      },
      runOnce: ({ signal }) => advanceOnce(deps, signal),
    },
    {
      name: 'release of dead workers',
      slots: 1,
      dueIn: { dead: deadWorkerMs },
      runOnce: async ({ foundMore }) => {
        if ((await releaseDeadWorkers(deps.db)) > 0) foundMore()
      },
    },
  ]
}
