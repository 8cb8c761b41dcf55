const form =
  /^P(?:(?<weeks>\d{1,4})W)?(?:(?<days>\d{1,5})D)?(?:T(?:(?<hours>\d{1,6})H)?(?:(?<minutes>\d{1,8})M)?(?:(?<seconds>\d{1,9}(?:\.\d{1,3})?)S)?)?$/

/**
 * Parses an ISO 8601 duration of weeks, days, hours, minutes and seconds into milliseconds; null if
 * the text is not one.
 */
export function parseDuration(text: string): number | null {
  const groups = form.exec(text)?.groups
  if (groups === undefined || text.endsWith('T') || text === 'P') return null
  const part = (name: string) => Number(groups[name] ?? 0)
  const days = part('weeks') * 7 + part('days')
  return Math.round(
    ((days * 24 + part('hours')) * 3_600 + part('minutes') * 60 + part('seconds')) * 1_000,
  )
}
