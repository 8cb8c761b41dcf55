import { i18n } from '@lingui/core'
import { NavLink, Stack } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { LanguageChoice } from '../languages/language-choice.tsx'
import { useOperationCounts } from '../operations/operation-counts.ts'
import { useHealth } from '../reading/use-health.ts'
import { type Screen, screens } from '../screens.tsx'
import { useSession } from '../session.tsx'

type Counts = Readonly<Partial<Record<string, { readonly count: number; readonly text: string }>>>

/** The navigation, with the number of things that need attention per screen. */
export function Navigation() {
  const counts = useCounts()
  return (
    <>
      <Stack gap="md">
        {groups().map(([group, name]) => (
          <div key={group}>
            <p className="navigation-title" id={`navigation-${group}`}>
              {name}
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
      </Stack>
      <LanguageChoice />
    </>
  )
}

function groups() {
  return [
    ['Work', i18n.t('Work')],
    ['Integration', i18n.t('Integration')],
    ['Setup', i18n.t('Setup')],
    ['Service', i18n.t('Service')],
  ] as const
}

function Entry({ screen, counts }: { readonly screen: Screen; readonly counts: Counts }) {
  const [location] = useLocation()
  const { key } = useSession()
  const { path, title, scope, icon: Icon } = screen
  const isHere = path === '/' ? location === '/' : location.startsWith(path)
  const isAllowed = scope === null || key.scopes.includes(scope)
  const { count = 0, text = '' } = counts[path] ?? {}
  return (
    <NavLink
      component={Link}
      href={path}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      className={isAllowed ? undefined : 'out-of-scope'}
      label={title?.()}
      leftSection={Icon !== null && <Icon size={17} stroke={1.7} aria-hidden />}
      rightSection={
        count > 0 && (
          <span className="navigation-count" title={text}>
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
  const { webhook_endpoints: endpoints, deliveries } = data
  const review = toReview ?? 0
  const { failing } = endpoints
  const { dead } = deliveries
  return {
    '/operations': {
      count: review,
      text: i18n.t('{count, plural, one {# needs review} other {# need review}}', {
        count: review,
      }),
    },
    '/webhooks': {
      count: failing,
      text: i18n.t('{count, plural, one {# endpoint is failing} other {# endpoints are failing}}', {
        count: failing,
      }),
    },
    '/deliveries': {
      count: dead,
      text: i18n.t('{count, plural, one {# dead letter} other {# dead letters}}', { count: dead }),
    },
  }
}
