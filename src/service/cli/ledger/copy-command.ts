import type { JsonObject } from '../../domain/decider.ts'
import { auditStream, platform } from '../../domain/ids.ts'
import type { AuditEvent } from '../../domain/ledger/audit-event.ts'
import type { Position } from '../../event-store/event-store.ts'
import { isEventStoreUrl } from '../../is-url.ts'
import { CopyRefused, copyLedger, walkTogether } from '../../ledger/copy/copy-ledger.ts'
import { bindingOf, nameOf, refuseConnected, switchStore } from '../../ledger/copy/switch-store.ts'
import { audit } from '../../security/audit.ts'
import { acting, asRecorded, by } from '../acting.ts'
import {
  type Call,
  type Command,
  CommandFailed,
  type CommandResult,
  UsageError,
} from '../command.ts'
import type { LedgerAddress, OpenLedgers } from '../open-ledgers.ts'
import { progress, progressFlag, progressWriter } from '../progress.ts'

export const copy: Command = {
  name: 'copy',
  summary: 'Copies a ledger into another event store and compares the two; can move the service.',
  flags: {
    from: {
      value: 'URL',
      description:
        "postgresql://…, esdb://… or kurrentdb://…. Default: the service's own database.",
    },
    to: {
      value: 'URL',
      description:
        'The address of the target, which must be empty or have the beginning of this ledger.',
    },
    'from-namespace': { value: 'NAME', description: 'The EVENT_STORE_NAMESPACE of --from.' },
    'to-namespace': { value: 'NAME', description: 'The EVENT_STORE_NAMESPACE of --to.' },
    switch: {
      description: "Then switches the service's database to the copy. The service must be stopped.",
    },
    ...progressFlag,
    ...asRecorded,
  },
  examples: [
    "copy --to 'esdb://127.0.0.1:2113?tls=false'",
    "copy --to 'esdb://127.0.0.1:2113?tls=false' --switch",
    "copy --from 'esdb://127.0.0.1:2113?tls=false' --to postgresql://user:password@host/database",
  ],
  run: async (call) => {
    const { flags } = call
    const from = addressOf(flags, 'from')
    const to = addressOf(flags, 'to')
    const isSwitch = flags.has('switch')
    refuseSides(from, to, isSwitch)
    const ledgers = await call.openLedgers({ from, to, isAlone: isSwitch })
    try {
      return isSwitch ? await moved(ledgers, call) : await copied(ledgers, call)
    } catch (error) {
      if (error instanceof CopyRefused) throw new CommandFailed(error.message, { cause: error })
      throw error
    } finally {
      await ledgers.close()
    }
  },
}

function addressOf(flags: ReadonlyMap<string, string>, side: 'from' | 'to'): LedgerAddress {
  const url = flags.get(side)
  const namespace = flags.get(`${side}-namespace`)
  const isEventStore = url !== undefined && isEventStoreUrl(url)
  if (url !== undefined && !isEventStore && !/^postgres(ql)?:\/\/\S+$/.test(url)) {
    throw new UsageError(
      `--${side} must be an address like postgresql://…, esdb://… or kurrentdb://…`,
    )
  }
  if (namespace !== undefined && !(isEventStore && /^[a-z0-9-]{1,32}$/.test(namespace))) {
    throw new UsageError(
      `--${side}-namespace must be 1 to 32 of a-z, 0-9 and hyphens, and needs an esdb:// or kurrentdb:// address.`,
    )
  }
  return url === undefined ? null : { url, namespace: namespace ?? '' }
}

function refuseSides(from: LedgerAddress, to: LedgerAddress, isSwitch: boolean): void {
  if (from === null && to === null) throw new UsageError('--from or --to is missing.')
  if (from?.url === to?.url && from?.namespace === to?.namespace) {
    throw new UsageError('--from and --to are the same ledger.')
  }
  const isOther = (side: LedgerAddress) => side !== null && !isEventStoreUrl(side.url)
  if (isSwitch && (isOther(from) || isOther(to))) {
    throw new UsageError(
      "With --switch the side in PostgreSQL is the service's own database, so leave it out. To move to another database, use dump and restore.",
    )
  }
}

type Report = (what: string, head: Position | null) => (at: Position | null, events: number) => void

function progressReports(call: Call): Report {
  const write = progressWriter(call)
  return (what, head) => progress({ what, head, write })
}

async function copyAll({ from, to }: OpenLedgers, report: Report) {
  const head = await from.store.head()
  return await copyLedger(from.store, to.store, {
    appendsAtOnce: to.appendsAtOnce,
    checked: report('checking', head),
    copied: report('copying', head),
  })
}

function resultOf(status: string, json: JsonObject, text: string): CommandResult {
  return { json: { status, ...json }, text }
}

async function copied(ledgers: OpenLedgers, call: Call): Promise<CommandResult> {
  const { from, to } = ledgers
  const report = progressReports(call)
  const done = await copyAll(ledgers, report)
  const compare = report('comparing', await from.store.head())
  const { events, isWhole } = await walkTogether(from.store, to.store, compare)
  const more = isWhole ? '' : ' The source has grown meanwhile. Copy again to get the rest.'
  return resultOf(
    'copied',
    { copied: done.copied, found: done.found, events, is_whole: isWhole },
    `Copied ${done.copied} events (${done.found} were already there). All ${events} are the same, in the same order.${more}`,
  )
}

/** Appends the move to the old ledger as its last event, which is copied too. */
async function moved(ledgers: OpenLedgers, call: Call): Promise<CommandResult> {
  const { from, to } = ledgers
  const report = progressReports(call)
  const client = await ledgers.database()
  const bound = await bindingOf(client)
  if (bound?.kind === to.ledger.kind && bound.namespace === to.ledger.namespace) {
    return resultOf('moved', { copied: 0 }, `The service is already in ${nameOf(to.ledger)}.`)
  }
  if (bound?.kind !== from.ledger.kind || bound.namespace !== from.ledger.namespace) {
    const where = bound === null ? 'no ledger yet' : `a ledger in ${nameOf(bound)}`
    throw new CommandFailed(
      `The service's database belongs to ${where}, not to the one that --from names.`,
    )
  }
  await refuseConnected(client)
  const event: AuditEvent = {
    type: 'LedgerMoved',
    data: { from: { ...from.ledger }, to: { ...to.ledger } },
  }
  // A move that continues after an interruption is recorded only once.
  const acts = await from.store.readStream(auditStream(platform))
  const last = acts.at(-1)
  const isNoted =
    last?.type === event.type && JSON.stringify(last.data) === JSON.stringify(event.data)
  if (!isNoted) {
    const mover = await by(
      acting(call, async () => client),
      platform,
    )
    await audit(from.store, { ...mover, ...event, organizationId: platform })
  }
  const done = await copyAll(ledgers, report)
  const { events, places } = await switchStore(
    client,
    {
      from: from.store,
      to: to.store,
      fromLedger: from.ledger,
      toLedger: to.ledger,
    },
    report('comparing', await from.store.head()),
  )
  return resultOf(
    'moved',
    { copied: done.copied, found: done.found, events, places },
    `Copied ${done.copied} events (${done.found} were already there) and compared all ${events}. The service's database now belongs to the ledger in ${nameOf(to.ledger)}: ${startWith(to.ledger.kind)}`,
  )
}

function startWith(kind: string): string {
  return kind === 'PostgreSQL'
    ? 'start the service without EVENT_STORE_URL.'
    : 'start every process with EVENT_STORE_URL, and EVENT_STORE_NAMESPACE if there is one, set to it.'
}
