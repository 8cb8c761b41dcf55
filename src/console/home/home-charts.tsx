import { i18n } from '@lingui/core'
import { formatNumber } from '../languages/language.ts'
import { stateWord } from '../parts/state-words.ts'
import '@mantine/charts/styles.layer.css'
import { BarChart, LineChart } from '@mantine/charts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useClockWorkspace } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { formatDuration, useTimeOfDay } from '../parts/times.tsx'
import { polledEvery } from '../reading/polled.ts'
import { useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'

const everyMs = 15_000
const heightPx = 200
const axes = {
  h: heightPx,
  gridAxis: 'x',
  tickLine: 'none',
  withLegend: true,
  legendProps: { verticalAlign: 'bottom', height: 30 },
  valueFormatter: (value: number) => formatNumber(value),
} as const
/** The charts have no controls; their accessible names contain the numbers. The highest number needs half a line. */
const still = { accessibilityLayer: false, margin: { top: 10 } } as const
/** Every fourth hour has its name on the axis. */
const hours = { interval: 3 } as const

/** Charts of the last 24 hours. In test mode they follow the clock of the newest workspace. */
export function HomeCharts() {
  const workspaceId = useClockWorkspace()
  const input = workspaceId === undefined ? {} : { workspace_id: workspaceId }
  return (
    <section className="charts" aria-label={i18n.t('The last 24 hours')}>
      <Creations input={input} />
      <Durations input={input} />
      <Couriers input={input} />
    </section>
  )
}

type ChartProps = { readonly input: { readonly workspace_id?: string } }

type Shown<T> = {
  readonly data: T | undefined
  readonly error: Error | null
  readonly isPending: boolean
}

function useStatistics<T>(name: string, { input }: ChartProps, read: () => Promise<T>): Shown<T> {
  const query = useQuery<T>({
    queryKey: ['statistics', name, input],
    queryFn: read,
    refetchInterval: polledEvery(everyMs),
  })
  return useShown<T>(query)
}

type ChartPanelProps<T> = {
  readonly title: string
  readonly of: Shown<T>
  readonly isEmpty: (data: T) => boolean
  readonly children: (data: T) => ReactNode
}

function ChartPanel<T>({ title, of, isEmpty, children }: ChartPanelProps<T>) {
  const { data, error, isPending } = of
  return (
    <Panel title={title} aside={<span className="reason">{i18n.t('last 24 hours')}</span>}>
      {data === undefined ? (
        isPending ? (
          <Loading />
        ) : (
          <Failed error={error} />
        )
      ) : isEmpty(data) ? (
        <Empty title={i18n.t('No data in the last 24 hours')} />
      ) : (
        children(data)
      )}
    </Panel>
  )
}

const outcomes = [
  { name: 'created', color: 'teal.6' },
  { name: 'rejected', color: 'orange.5' },
  { name: 'not_executed', color: 'gray.5' },
  { name: 'unknown_outcome', color: 'red.6' },
] as const

function Creations(props: ChartProps) {
  const { client } = useSession()
  const timeOfDay = useTimeOfDay()
  const series = outcomes.map((each) => ({ ...each, label: stateWord(each.name) }))
  const read = useStatistics('creations', props, () =>
    client.statistics.countCreations(props.input),
  )
  return (
    <ChartPanel
      title={i18n.t('Creations by outcome')}
      of={read}
      isEmpty={({ total }) => series.every(({ name }) => total[name] === 0)}
    >
      {({ data, total }) => (
        <div
          role="img"
          aria-label={series
            .map(({ name, label }) => `${label}: ${formatNumber(total[name])}`)
            .join(', ')}
        >
          <BarChart
            {...axes}
            data={data.map(({ at, outcomes: counts }) => ({ at: timeOfDay(at), ...counts }))}
            dataKey="at"
            xAxisProps={hours}
            type="stacked"
            yAxisProps={wholeNumbers}
            series={series}
            barProps={{ isAnimationActive: false }}
            barChartProps={still}
          />
        </div>
      )}
    </ChartPanel>
  )
}

function Durations(props: ChartProps) {
  const { client } = useSession()
  const read = useStatistics('reconciliations', props, () =>
    client.statistics.countReconciliations(props.input),
  )
  return (
    <ChartPanel
      title={i18n.t('Time to a certain outcome')}
      of={read}
      isEmpty={({ durations: { reconciliation, operator } }) =>
        reconciliation.count + operator.count === 0
      }
    >
      {({ durations: { reconciliation, operator } }) => (
        <div
          role="img"
          aria-label={i18n.t(
            '{asked} concluded by asking the courier, median {median}; {decided} decided by people',
            {
              asked: reconciliation.count,
              median: secondsOf(reconciliation.p50),
              decided: operator.count,
            },
          )}
        >
          <BarChart
            {...axes}
            data={reconciliation.buckets.map(({ up_to, count }, index) => ({
              upTo: up_to === null ? i18n.t('more') : `≤ ${secondsOf(up_to)}`,
              looks: count,
              people: operator.buckets[index]?.count ?? 0,
            }))}
            dataKey="upTo"
            type="stacked"
            yAxisProps={wholeNumbers}
            series={[
              { name: 'looks', label: i18n.t('By asking the courier'), color: 'indigo.5' },
              { name: 'people', label: i18n.t('By people'), color: 'grape.5' },
            ]}
            barProps={{ isAnimationActive: false }}
            barChartProps={still}
          />
        </div>
      )}
    </ChartPanel>
  )
}

function secondsOf(seconds: number | null): string {
  return seconds === null ? '–' : formatDuration(seconds * 1_000)
}

function Couriers(props: ChartProps) {
  const { client } = useSession()
  const timeOfDay = useTimeOfDay()
  const read = useStatistics('couriers', props, () =>
    client.statistics.countCourierCalls(props.input),
  )
  return (
    <ChartPanel
      title={i18n.t('Courier latency')}
      of={read}
      isEmpty={({ couriers }) => couriers.length === 0}
    >
      {({ couriers }) =>
        couriers
          .slice(0, couriersMax)
          .map(({ provider_code: code, calls, failed, data, latency_ms }) => {
            const words = i18n.t(
              '{code}: {calls, plural, one {# call} other {# calls}}, {failed, plural, one {# failed} other {# failed}}, median {median}, 90th percentile {slow}',
              {
                code,
                calls,
                failed,
                median: millisecondsOf(latency_ms.p50),
                slow: millisecondsOf(latency_ms.p90),
              },
            )
            return (
              <div key={code}>
                <p className="reason">{words}</p>
                <div role="img" aria-label={words}>
                  <LineChart
                    {...axes}
                    h={heightPx - 24}
                    data={data.map((each) => ({
                      at: timeOfDay(each.at),
                      p50: each.latency_ms.p50,
                      p90: each.latency_ms.p90,
                    }))}
                    dataKey="at"
                    xAxisProps={hours}
                    unit=" ms"
                    series={[
                      { name: 'p50', label: i18n.t('Median'), color: 'indigo.5' },
                      { name: 'p90', label: i18n.t('90th percentile'), color: 'orange.5' },
                    ]}
                    curveType="linear"
                    withDots
                    connectNulls={false}
                    lineProps={{ isAnimationActive: false }}
                    lineChartProps={still}
                  />
                </div>
              </div>
            )
          })
      }
    </ChartPanel>
  )
}

const wholeNumbers = { allowDecimals: false } as const

/** More would not fit next to the other charts. */
const couriersMax = 3

function millisecondsOf(milliseconds: number | null): string {
  return milliseconds === null ? '–' : `${formatNumber(Math.round(milliseconds))} ms`
}
