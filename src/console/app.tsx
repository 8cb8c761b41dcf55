import { i18n } from '@lingui/core'
import { I18nProvider, useLingui } from '@lingui/react'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { Redirect, Route, Router, Switch } from 'wouter'
import { Empty } from './parts/states.tsx'
import { TimesProvider } from './parts/times.tsx'
import { type Screen, screens } from './screens.tsx'
import { SessionProvider, useEntry, useSession } from './session.tsx'
import { CurrentScreen, useScreensAhead } from './shell/current-screen.tsx'
import { useDocumentTitle } from './shell/document-title.ts'
import { ScreenBoundary } from './shell/screen-boundary.tsx'
import { Shell } from './shell/shell.tsx'
import { SignIn } from './sign-in.tsx'
import { cssVariables, theme } from './theme.ts'

type AppProps = {
  /** The nonce that the page's content security policy requires of style elements. */
  readonly styleNonce: string
}

export function App({ styleNonce }: AppProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <Notifications position="bottom-right" transitionDuration={0} />
      <I18nProvider i18n={i18n}>
        <SessionProvider>
          <TimesProvider>
            <Router base="/console">
              <InLanguage />
            </Router>
          </TimesProvider>
        </SessionProvider>
      </I18nProvider>
    </MantineProvider>
  )
}

/** Texts are read from the catalogue while rendering, so another language renders everything anew. */
function InLanguage() {
  const { i18n } = useLingui()
  return <Entered key={i18n.locale} />
}

function Entered() {
  const { session } = useEntry()
  useDocumentTitle(session !== null)
  return session === null ? <SignIn /> : <Screens />
}

function Screens() {
  const { key } = useSession()
  useScreensAhead()
  const isAllowed = ({ scope }: Screen) => scope === null || key.scopes.includes(scope)
  const first = screens.find((screen) => screen.title !== null && isAllowed(screen))
  return (
    <Shell>
      <ScreenBoundary>
        <Switch>
          {first !== undefined && first.path !== '/' && (
            <Route path="/">
              <Redirect to={first.path} replace />
            </Route>
          )}
          {screens.map((screen) => (
            <Route key={screen.path} path={screen.path}>
              {(params: Readonly<Record<string, string | undefined>>) => (
                <CurrentScreen screen={screen} id={params.id ?? ''} />
              )}
            </Route>
          ))}
          <Route>
            <Empty title={i18n.t('Page not found')} isScreen>
              {i18n.t('Choose a page from the navigation.')}
            </Empty>
          </Route>
        </Switch>
      </ScreenBoundary>
    </Shell>
  )
}
