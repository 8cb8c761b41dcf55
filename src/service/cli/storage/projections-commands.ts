import { projections } from '../../../../projections/all.ts'
import { dueListName } from '../../processes/due/list.ts'
import { projectionStatuses } from '../../projector/checkpoint.ts'
import { rebuildProjection } from '../../projector/rebuild.ts'
import { outboxName } from '../../webhooks/outbox.ts'
import { type Command, columns, UsageError } from '../command.ts'
import { progress, progressFlag, progressWriter } from '../progress.ts'

export const projectionsStatus: Command = {
  name: 'projections status',
  summary: 'Shows the position of each projection.',
  flags: {},
  examples: ['projections status', 'projections status --json'],
  run: async ({ open }) => {
    const { db, store } = await open()
    const [statuses, head] = await Promise.all([projectionStatuses(db), store.head()])
    const data = statuses.map((one) => ({
      name: one.name,
      generation: one.generation,
      version: one.version,
      position: one.position,
      active: one.active,
      stopped_by: one.stoppedBy,
    }))
    const rows = data.map((one) => [
      one.name,
      String(one.generation),
      one.active ? 'active' : 'building',
      one.position ?? '-',
      one.stopped_by ?? 'working',
    ])
    const titles = ['NAME', 'GENERATION', 'STATE', 'POSITION', 'STOPPED BY']
    return {
      json: { head, data },
      text: `${columns([titles, ...rows])}\nThe ledger's last position: ${head ?? 'none'}`,
      exit: data.some((one) => one.active && one.stopped_by !== null) ? 'found' : 'fine',
    }
  },
}

export const projectionsRebuild: Command = {
  name: 'projections rebuild',
  summary: 'Rebuilds a projection beside the one in use and swaps it in.',
  subject: 'name',
  flags: progressFlag,
  examples: ['projections rebuild shipments', 'projections rebuild shipments --progress'],
  run: async (call) => {
    const { subject } = call
    const { db, pool, store } = await call.open()
    const projection = projections.find((one) => one.name === subject)
    if (subject === outboxName) {
      throw new UsageError('The outbox cannot be rebuilt: it would send every event again.')
    }
    if (subject === dueListName) {
      throw new UsageError('The due work cannot be rebuilt: workers have planned in it since.')
    }
    if (projection === undefined) {
      const names = projections.map((one) => one.name).join(', ')
      throw new UsageError(`There is no projection "${subject}". The projections are ${names}.`)
    }
    const startedAt = performance.now()
    // Ctrl-C ends the process; the next rebuild continues from here.
    const deps = { db, pool, store }
    const head = await store.head()
    const report = progress({ what: subject, head, write: progressWriter(call) })
    await rebuildProjection(deps, projection, new AbortController().signal, report)
    const durationMs = Math.round(performance.now() - startedAt)
    return {
      json: { name: subject, rebuilt: true, duration_ms: durationMs },
      text: `${subject} was rebuilt and is in use (${durationMs} ms).`,
    }
  },
}
