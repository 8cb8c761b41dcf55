import type { Instant } from '../../../domain/decider.ts'

/** Formats times for people in one time zone. */
export type Times = {
  /** The zone's name in the time zone database. */
  readonly zone: string
  /** With milliseconds and the zone's offset. */
  readonly local: (at: Instant) => string
  readonly utc: (at: Instant) => string
  /** Date and minute, for sentences. */
  readonly brief: (at: Instant) => string
}

/** The longest names in the time zone database have about 30 characters. */
const zoneNameMax = 64

/** Null if the name is not in the time zone database. */
export function timesIn(zone: string): Times | null {
  // Offsets such as +02:00 are accepted by Intl too, but they have no daylight saving time.
  if (!/^[A-Za-z]/.test(zone) || zone.length > zoneNameMax) return null
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
    const offsets = offsetFormat(known)
    return {
      zone: known,
      local: (at) => `${partsIn(known, at)} ${offsetAt(offsets, at)}`,
      utc: (at) => `${partsIn('UTC', at)} UTC`,
      brief: (at) => `${partsIn(known, at).slice(0, 16)} ${offsetAt(offsets, at)}`,
    }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function offsetFormat(timeZone: string) {
  return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
}

function offsetAt(format: Intl.DateTimeFormat, at: Instant): string {
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value
  return name === undefined || /^GMT(\+00:00)?$/.test(name) ? 'UTC' : name.replace('GMT', 'UTC')
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** `2027-01-31 10:12:03.123` */
function partsIn(timeZone: string, at: Instant): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('sv', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
      hourCycle: 'h23',
    })
  formats.set(timeZone, format)
  return format.format(at).replace(',', '.')
}
