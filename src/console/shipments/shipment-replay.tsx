import { i18n } from '@lingui/core'
import { Group } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId } from 'react'
import type { Answered, Shipment } from '../../client/methods.ts'
import { useUrlFilters } from '../lists/url-filters.ts'
import { SteadyButton } from '../parts/steady-button.tsx'
import { Time } from '../parts/times.tsx'
import { useFailure } from '../reading/use-recovery.ts'
import { type LedgerEvent, useShipmentEvents } from '../reading/use-shipment-events.ts'
import { useSession } from '../session.tsx'

export type Replay = {
  /** The selected version; null for the current one. */
  readonly version: number | null
  /** The shipment at that version, or at the previous one while it is loading. */
  readonly shown: Shipment | null
  readonly error: Error | null
  /** When the selected version was reached; null until it is known. */
  readonly at: string | null
  /** The version in the address if it does not exist, otherwise null. */
  readonly unknown: string | null
  readonly events: readonly LedgerEvent[]
  readonly eventsError: Error | null
  readonly isLoadingEvents: boolean
  readonly versions: number
  goTo(version: number | null): void
  /** Loads that version again. */
  again(): void
}

/** A shipment at any version. The version is in the address, so a link can share it. */
export function useReplay(now: Answered<Shipment>): Replay {
  const { client } = useSession()
  const { filters, setFilter } = useUrlFilters(['as_of'])
  const { id, version: versions } = now
  const wanted = filters.as_of ?? null
  const isThere = /^[1-9]\d*$/.test(wanted ?? '') && Number(wanted) <= versions
  const version = isThere && Number(wanted) < versions ? Number(wanted) : null
  const read = useDeferredValue(version)
  const past = useQuery({
    queryKey: ['shipment', id, 'as-of', read],
    queryFn: ({ signal }) => client.shipments.get({ id, as_of: String(read) }, { signal }),
    enabled: read !== null,
    // A version never changes.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
  const events = useShipmentEvents(id, { id, version: versions })
  const isRead = past.isSuccess && !past.isPlaceholderData
  const failure = useFailure({ error: past.error, isSuccess: isRead }, String(read))
  const eventsError = useFailure(events)
  const shown = version === null ? now : failure === null ? (past.data ?? null) : null
  const at = version ?? versions
  return {
    version,
    versions,
    shown,
    events: events.data ?? [],
    error: version === null ? null : failure,
    // Keys without the scope to read events get the time from the shipment.
    at: shown?.version === at ? shown.updated_at : (events.data?.[at - 1]?.recorded_at ?? null),
    unknown: isThere ? null : wanted,
    eventsError,
    isLoadingEvents: events.isPending && eventsError === null,
    goTo: (to) => setFilter('as_of', to === null || to >= versions ? '' : String(to)),
    again: () => void past.refetch(),
  }
}

type ReplayProps = { readonly now: Shipment; readonly replay: Replay }

/** A slider over the versions, with the event of each. */
export function ShipmentReplay({ now, replay }: ReplayProps) {
  const id = useId()
  const { version, events, goTo } = replay
  const { version: versions } = now
  const at = version ?? now.version
  const event = events[at - 1]
  return (
    <section
      className={version === null ? 'panel replay' : 'panel replay warned'}
      aria-label={i18n.t('Replay')}
    >
      <label htmlFor={id}>
        {version === null
          ? i18n.t('Current: version {at} of {versions}', { at, versions })
          : i18n.t('As of version {at} of {versions}', { at, versions })}
      </label>
      <input
        id={id}
        type="range"
        min={1}
        max={now.version}
        value={at}
        aria-valuetext={
          event === undefined
            ? i18n.t('version {at} of {versions}', { at, versions })
            : i18n.t('version {at} of {versions}, {event}', { at, versions, event: event.type })
        }
        onChange={(change) => goTo(Number(change.target.value))}
      />
      <p className="reason replay-event" role="status">
        {event !== undefined && `${event.type} · `}
        {replay.at === null ? '…' : <Time at={replay.at} />}
      </p>
      <Group gap="2xs" className="replay-acts">
        <SteadyButton isOff={at <= 1} onPress={() => goTo(at - 1)}>
          {i18n.t('Back')}
        </SteadyButton>
        <SteadyButton isOff={version === null} onPress={() => goTo(at + 1)}>
          {i18n.t('Forward')}
        </SteadyButton>
        <SteadyButton isOff={version === null} onPress={() => goTo(null)}>
          {i18n.t('Now')}
        </SteadyButton>
      </Group>
      {replay.unknown !== null && (
        <p className="refusal" role="alert">
          {i18n.t(
            'There is no version {unknown}: versions run from 1 to {versions}. The current version is shown.',
            { unknown: replay.unknown, versions },
          )}
        </p>
      )}
    </section>
  )
}
