import { i18n } from '@lingui/core'
import { Button, Tooltip } from '@mantine/core'
import IconClock from '@tabler/icons-react/icons/IconClock'
import { useQuery } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { polledEvery } from '../reading/polled.ts'
import { useSession } from '../session.tsx'

type Zone = 'local' | 'utc'

type Times = {
  readonly zone: Zone
  setZone(zone: Zone): void
}

const TimesContext = createContext<Times | null>(null)

/** All times in the console are in one zone, which the user can switch. */
export function TimesProvider({ children }: { readonly children: ReactNode }) {
  const [zone, setZone] = useState<Zone>('local')
  const times = useMemo(() => ({ zone, setZone }), [zone])
  return <TimesContext value={times}>{children}</TimesContext>
}

function useTimes(): Times {
  const times = useContext(TimesContext)
  if (times === null) throw new Error('bug: outside of the TimesProvider')
  return times
}

const shape: Intl.DateTimeFormatOptions = {
  dateStyle: 'short',
  timeStyle: 'medium',
  hourCycle: 'h23',
}
// The Swedish format is sortable: 2026-03-01 12:00:00.
const formats: Readonly<Record<Zone, Intl.DateTimeFormat>> = {
  local: new Intl.DateTimeFormat('sv-SE', shape),
  utc: new Intl.DateTimeFormat('sv-SE', { ...shape, timeZone: 'UTC' }),
}

function formatTime(at: string, zone: Zone): string {
  return formats[zone].format(new Date(at))
}

/** A moment in both zones, for tooltips. */
function inBothZones(at: string): string {
  return `${i18n.t('{time} local time', { time: formatTime(at, 'local') })}\n${formatTime(at, 'utc')} UTC`
}

/** A moment in the chosen zone, with both zones in the tooltip. */
export function Time({ at }: { readonly at: string }) {
  const { zone } = useTimes()
  return (
    <time dateTime={at} title={inBothZones(at)}>
      {formatTime(at, zone)}
    </time>
  )
}

/** The time of day of a moment. */
export function ClockTime({ at }: { readonly at: string }) {
  const { zone } = useTimes()
  return (
    <time dateTime={at} title={inBothZones(at)}>
      {formatTime(at, zone).split(' ')[1]}
    </time>
  )
}

/** Formats a moment as hours and minutes in the chosen zone, for the axis of a chart. */
export function useTimeOfDay(): (at: string) => string {
  const { zone } = useTimes()
  return useCallback((at: string) => formatTime(at, zone).slice(11, 16), [zone])
}

/**
 * Returns the function that gives the start of a day, such as `2026-03-01`, in the chosen zone, or
 * of the day after it. A text that is not a day stays as it is, so that the API refuses it.
 */
export function useDayStart(): (day: string, which?: 'same' | 'next') => string {
  const { zone } = useTimes()
  return useCallback(
    (day, which = 'same') => {
      const start = new Date(`${day}T00:00:00${zone === 'utc' ? 'Z' : ''}`)
      if (Number.isNaN(start.getTime())) return day
      const days = which === 'same' ? 0 : 1
      if (zone === 'utc') start.setUTCDate(start.getUTCDate() + days)
      else start.setDate(start.getDate() + days)
      return start.toISOString()
    },
    [zone],
  )
}

export function ZoneSwitch() {
  const { zone, setZone } = useTimes()
  const word = zone === 'utc' ? 'UTC' : i18n.t('local')
  return (
    <Tooltip
      label={zone === 'utc' ? i18n.t('Show times in your zone') : i18n.t('Show times in UTC')}
    >
      <Button
        variant="subtle"
        color="gray"
        className="quiet"
        aria-label={i18n.t('Times: {zone}', { zone: word })}
        aria-pressed={zone === 'utc'}
        leftSection={<IconClock size={16} />}
        onClick={() => setZone(zone === 'utc' ? 'local' : 'utc')}
      >
        {word}
      </Button>
    </Tooltip>
  )
}

/** Ages and remaining times are updated once a second. */
const tickMs = 1_000
/** An advance of the clock shows after at most this long. */
const clockFreshMs = 10_000

/** One timer for everything on the page that shows the passing of time. */
const ticker = tickerOf(tickMs)

function tickerOf(everyMs: number) {
  const listeners = new Set<() => void>()
  let nowMs = Date.now()
  let timer: ReturnType<typeof setInterval> | undefined
  const tick = () => {
    nowMs = Date.now()
    for (const listener of listeners) listener()
  }
  return {
    read: () => nowMs,
    subscribe(listener: () => void) {
      listeners.add(listener)
      timer ??= setInterval(tick, everyMs)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

/** The current time in milliseconds; in test mode on the workspace's clock once that is loaded. */
export function useNow(workspaceId: string): number {
  return useClock(workspaceId).now
}

/** Like `useNow`, and whether the workspace's clock is loaded. */
export function useClock(workspaceId: string): { readonly now: number; readonly isRead: boolean } {
  const { client, key } = useSession()
  const wallMs = useSyncExternalStore(ticker.subscribe, ticker.read)
  const offset = useQuery({
    queryKey: ['clock-offset', workspaceId],
    queryFn: async ({ signal }) => {
      const { now } = await client.sandbox.getClock({ workspace_id: workspaceId }, { signal })
      return Date.parse(now) - Date.now()
    },
    enabled: !key.livemode,
    staleTime: clockFreshMs,
    refetchInterval: polledEvery(clockFreshMs),
  })
  return { now: wallMs + (offset.data ?? 0), isRead: key.livemode || !offset.isPending }
}

/** The whole seconds until a moment in real time; 0 if it has passed or is null. */
export function useSecondsUntil(atMs: number | null): number {
  const nowMs = useSyncExternalStore(ticker.subscribe, ticker.read)
  return atMs === null ? 0 : Math.max(0, Math.ceil((atMs - nowMs) / 1_000))
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** A duration in its two largest units: `2 h 5 min`, or `2 h`. */
export function formatDuration(ms: number): string {
  let rest = Math.max(0, Math.floor(ms / 1_000) * 1_000)
  const parts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0 || parts.length > 0) parts.push(`${count} ${unit}`)
  }
  return (
    parts
      .slice(0, 2)
      .filter((part) => !part.startsWith('0 '))
      .join(' ') || '0 s'
  )
}

type MomentProps = { readonly at: string; readonly workspaceId: string }

type ElapsedProps = MomentProps & {
  readonly className?: string
  /** The text for the time since the moment, which is negative before it. */
  readonly say: (sinceMs: number) => string
}

/** A text that depends on the time since a moment; a dash until the workspace's clock is known. */
function Elapsed({ at, workspaceId, className, say }: ElapsedProps) {
  const { now, isRead } = useClock(workspaceId)
  return (
    <time className={className} dateTime={at} title={inBothZones(at)}>
      {isRead ? say(now - Date.parse(at)) : '–'}
    </time>
  )
}

/** How long something has waited since the moment. */
export function Waiting(moment: MomentProps) {
  return (
    <Elapsed
      {...moment}
      say={(ms) => i18n.t('waiting {duration}', { duration: formatDuration(ms) })}
    />
  )
}

/** How long a state has lasted since the moment. */
export function LastingFor(moment: MomentProps) {
  return (
    <Elapsed {...moment} say={(ms) => i18n.t('for {duration}', { duration: formatDuration(ms) })} />
  )
}

/** When something that failed is tried again. */
export function NextTry(moment: MomentProps) {
  const say = (ms: number) =>
    ms < 0
      ? i18n.t('next try in {duration}', { duration: formatDuration(-ms) })
      : i18n.t('next try now')
  return <Elapsed {...moment} say={say} />
}

/** How long something took, with its end in the tooltip. */
export function Took({ from, to }: { readonly from: string; readonly to: string }) {
  return (
    <time dateTime={to} title={i18n.t('until {time}', { time: inBothZones(to) })}>
      {i18n.t('took {duration}', { duration: formatDuration(Date.parse(to) - Date.parse(from)) })}
    </time>
  )
}

/** The distance of a moment from now, with the moment in the tooltip. */
export function Far(moment: MomentProps) {
  const say = (ms: number) =>
    ms < 0
      ? i18n.t('in {duration}', { duration: formatDuration(-ms) })
      : i18n.t('{duration} ago', { duration: formatDuration(ms) })
  return <Elapsed {...moment} className="far" say={say} />
}

/** A moment and its distance from now. */
export function Moment({ at, workspaceId }: MomentProps) {
  return (
    <>
      <Time at={at} /> <Far at={at} workspaceId={workspaceId} />
    </>
  )
}
