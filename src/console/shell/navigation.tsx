import { NavLink } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { useOperationCounts } from '../operations/operation-counts.ts'
import { useHealth } from '../reading/use-health.ts'
import { type Screen, screens } from '../screens.tsx'
import { useSession } from '../session.tsx'

type Counts = Readonly<Partial<Record<string, { readonly count: number; readonly of: string }>>>

/** The navigation, with the number of things that need attention per screen. */
export function Navigation() {
  const counts = useCounts()
  return (
    <>
      {['Work', 'Integration', 'Setup', 'Service'].map((group) => (
        <div key={group} className="navigation-group">
          <p className="navigation-title" id={`navigation-${group}`}>
            {group}
          </p>
          <ul aria-labelledby={`navigation-${group}`}>
            {screens
              .filter((screen) => screen.title !== null && screen.group === group)
              .map((screen) => (
                <li key={screen.path}>
                  <Entry screen={screen} counts={counts} />
                </li>
              ))}
          </ul>
        </div>
      ))}
    </>
  )
}

function Entry({ screen, counts }: { readonly screen: Screen; readonly counts: Counts }) {
  const [location] = useLocation()
  const { key } = useSession()
  const { path, title, scope, icon: Icon } = screen
  const isHere = path === '/' ? location === '/' : location.startsWith(path)
  const isAllowed = scope === null || key.scopes.includes(scope)
  const { count = 0, of = '' } = counts[path] ?? {}
  return (
    <NavLink
      component={Link}
      href={path}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      className={isAllowed ? undefined : 'out-of-scope'}
      label={title}
      leftSection={Icon !== null && <Icon size={17} stroke={1.7} aria-hidden />}
      rightSection={
        count > 0 && (
          <span className="navigation-count" title={`${count} ${of}`}>
            {count > 999 ? '999+' : count}
          </span>
        )
      }
    />
  )
}

/** The counts by screen. */
function useCounts(): Counts {
  const toReview = useOperationCounts().data?.to_review
  const { data } = useHealth()
  // The health screen reports an unexpected response.
  if (data?.operations === undefined) return {}
  return {
    '/operations': { count: toReview ?? 0, of: 'need review' },
    '/webhooks': { count: data.webhook_endpoints.failing, of: 'endpoints are failing' },
    '/deliveries': { count: data.deliveries.dead, of: 'dead letters' },
  }
}
