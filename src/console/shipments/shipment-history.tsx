import { i18n } from '@lingui/core'
import { ActionIcon, Stack, Tooltip, UnstyledButton } from '@mantine/core'
import IconChevronRight from '@tabler/icons-react/icons/IconChevronRight'
import IconHistory from '@tabler/icons-react/icons/IconHistory'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { formatNumber } from '../languages/language.ts'
import { JsonView } from '../parts/json-view.tsx'
import { ActorName } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { Needs } from '../parts/scopes.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import type { LedgerEvent } from '../reading/use-shipment-events.ts'
import type { Replay } from './shipment-replay.tsx'

/** The estimated height of a closed row. */
const rowHeightPx = 33
const overscanRows = 8

/** Every event of the shipment. Events contain no personal data. */
export function ShipmentHistory({ replay }: { readonly replay: Replay }) {
  return (
    <Panel title={i18n.t('History')}>
      <Needs scope="ledger:read">
        {replay.isLoadingEvents ? (
          <Loading />
        ) : replay.eventsError !== null ? (
          <Failed error={replay.eventsError} />
        ) : (
          <Events replay={replay} />
        )}
      </Needs>
    </Panel>
  )
}

function Events({ replay }: { readonly replay: Replay }) {
  const { events, version, versions, goTo } = replay
  const area = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const virtual = useVirtualizer({
    count: events.length,
    getScrollElement: () => area.current,
    estimateSize: () => rowHeightPx,
    overscan: overscanRows,
    getItemKey: (index) => events[index]?.id ?? index,
  })
  const toggle = (id: string) => {
    const after = new Set(opened)
    if (!after.delete(id)) after.add(id)
    setOpened(after)
  }
  return (
    <>
      <p className="count">
        {i18n.t('{versions, plural, one {{shown} of # event} other {{shown} of # events}}', {
          shown: formatNumber(events.length),
          versions,
        })}
      </p>
      <div className="history" ref={area}>
        <Stack component="ol" pos="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const event = events[item.index]
            if (event === undefined) return null
            return (
              <li
                key={item.key}
                data-index={item.index}
                ref={virtual.measureElement}
                aria-setsize={events.length}
                aria-posinset={item.index + 1}
                data-later={version !== null && item.index >= version}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <EventRow
                  event={event}
                  isOpened={opened.has(event.id)}
                  onToggle={() => toggle(event.id)}
                  onReplay={() => goTo(event.revision + 1)}
                />
              </li>
            )
          })}
        </Stack>
      </div>
    </>
  )
}

type RowProps = {
  readonly event: LedgerEvent
  readonly isOpened: boolean
  readonly onToggle: () => void
  readonly onReplay: () => void
}

function EventRow({ event, isOpened, onToggle, onReplay }: RowProps) {
  const version = event.revision + 1
  return (
    <>
      <div className="event">
        <span className="event-version">{version}</span>
        <UnstyledButton className="event-type" aria-expanded={isOpened} onClick={onToggle}>
          <IconChevronRight size={14} aria-hidden />
          {event.type}
        </UnstyledButton>
        <Time at={event.recorded_at} />
        <span className="event-actor">
          <ActorName actor={event.actor} />
        </span>
        <Tooltip label={i18n.t('Show the shipment as it was then')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={i18n.t('Replay to version {version}', { version })}
            onClick={onReplay}
          >
            <IconHistory size={15} />
          </ActionIcon>
        </Tooltip>
      </div>
      {isOpened && <JsonView value={event} name={event.type} />}
    </>
  )
}
