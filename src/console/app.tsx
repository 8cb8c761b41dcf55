import { CSPProvider } from '@base-ui/react/csp-provider'
import { Redirect, Route, Router, Switch } from 'wouter'
import { useDocumentTitle } from './parts/document-title.ts'
import { Needs } from './parts/scopes.tsx'
import { ScreenBoundary } from './parts/screen-boundary.tsx'
import { Empty } from './parts/states.tsx'
import { TimesProvider } from './parts/times.tsx'
import { type Screen, screens } from './screens.tsx'
import { SessionProvider, useEntry, useSession } from './session.tsx'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'

/** The operators' console. The page's policy forbids style elements, so none are created. */
export function App() {
  return (
    <CSPProvider disableStyleElements>
      <SessionProvider>
        <TimesProvider>
          <Router base="/console">
            <Entered />
          </Router>
        </TimesProvider>
      </SessionProvider>
    </CSPProvider>
  )
}

function Entered() {
  const { session } = useEntry()
  useDocumentTitle(session !== null)
  if (session === null) return <SignIn />
  return (
    <Shell>
      <ScreenBoundary>
        <Switch>
          {screens.map((screen) => (
            <Route key={screen.path} path={screen.path}>
              {(params) => <Shown screen={screen} params={params} />}
            </Route>
          ))}
          <Route path="/">
            <First />
          </Route>
          <Route>
            <Empty title="There is no such page" isScreen>
              The navigation lists the pages that exist.
            </Empty>
          </Route>
        </Switch>
      </ScreenBoundary>
    </Shell>
  )
}

/** The first screen that the key may see. */
function First() {
  const { key } = useSession()
  const first = screens.find(
    ({ title, scope }) => title !== null && (scope === null || key.scopes.includes(scope)),
  )
  return <Redirect to={first?.path ?? '/usage'} replace />
}

type ShownProps = {
  readonly screen: Screen
  readonly params: Readonly<Record<string, string | undefined>>
}

function Shown({ screen, params }: ShownProps) {
  const { show: Show, scope } = screen
  const shown = <Show id={params.id ?? ''} />
  // Another resource is another screen: no state carries over, least of all revealed data.
  return (
    <Needs key={`${screen.path} ${params.id}`} scope={scope}>
      {shown}
    </Needs>
  )
}
