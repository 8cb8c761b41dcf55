import type { Operation } from '../../client/methods.ts'
import { Badge } from '../parts/badge.tsx'
import { Empty } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'

/** What each look at the courier showed. */
export function Evidence({ operation }: { readonly operation: Operation }) {
  const { looks } = operation
  return (
    <section className="panel" aria-label="Evidence">
      <h2>Evidence</h2>
      {looks.length === 0 ? (
        <Empty title="No look yet">The first look starts automatically.</Empty>
      ) : (
        // It may be wider than a narrow screen, so it must scroll, also by keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access
        <section className="wide" tabIndex={0} aria-label="Looks">
          <table className="evidence">
            <thead>
              <tr>
                <th scope="col">Look</th>
                <th scope="col">Started</th>
                <th scope="col">Answer</th>
                <th scope="col">Guides</th>
                <th scope="col">Counts</th>
                <th scope="col">Took</th>
                <th scope="col">Method</th>
              </tr>
            </thead>
            <tbody>
              {looks.map((look, index) => (
                <tr key={look.at}>
                  <td>{index + 1}</td>
                  <td>
                    <Time at={look.at} />
                  </td>
                  <td>
                    <Badge value={look.answer} /> {failureOf(look)}
                  </td>
                  <td>{look.guide_numbers.length === 0 ? '–' : look.guide_numbers.join(', ')}</td>
                  <td>{look.counted ? 'yes' : 'no'}</td>
                  <td>{look.latency_ms === null ? '–' : `${look.latency_ms} ms`}</td>
                  <td>{look.method.replaceAll('_', ' ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  )
}

function failureOf({ failure }: Operation['looks'][number]): string {
  if (failure === null) return ''
  const status = failure.status_code === null ? '' : ` (${failure.status_code})`
  return `${failure.kind.replaceAll('_', ' ')}${status}`
}
