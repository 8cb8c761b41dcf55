import { i18n } from '@lingui/core'
import { Button, Checkbox, Group, Paper, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { isAccountAsked, leaveForIssuer, takesAccounts } from './account-sign-in.ts'
import { LanguageChoice } from './languages/language-choice.tsx'
import { InOnePicture } from './parts/in-one-picture.tsx'
import { SteadyButton } from './parts/steady-button.tsx'
import { againEveryMs } from './reading/use-recovery.ts'
import { useEntry } from './session.tsx'
import { useAccount } from './use-account.ts'

/**
 * Sign-in with the account of a company, if the service has an issuer, or with an API key. The key
 * is never in an address or a cookie, and nothing keeps it after the tab is closed.
 */
export function SignIn() {
  const { isKept } = useEntry()
  const account = useAccount()
  const [usesKey, setUsesKey] = useState(!takesAccounts)
  if (account.choices.length > 0) return <OrganizationChoice account={account} />
  if (account.isRedeeming) return <Entering />
  if (isKept) return <KeptKey />
  if (usesKey) return <KeyForm onAccount={takesAccounts ? () => setUsesKey(false) : null} />
  return <AccountForm why={account.sentence} onKey={() => setUsesKey(true)} />
}

type PageProps = { readonly title?: string; readonly children: ReactNode }

function SignInPage({ title, children }: PageProps) {
  return (
    <main className="entrance">
      <Paper p="xl" radius={12} shadow="lg" bd="1px solid var(--line)">
        <Title order={1}>{title ?? i18n.t('shipping-ledger console')}</Title>
        {children}
        <LanguageChoice />
      </Paper>
      <div>
        <InOnePicture />
        <div className="doors">
          <a className="door" href="/docs">
            <strong>{i18n.t('Build')}</strong>
            <span>{i18n.t('Connect your shop with the API: documentation and first guide.')}</span>
          </a>
        </div>
      </div>
    </main>
  )
}

function Entering() {
  return (
    <SignInPage>
      <p role="status">{i18n.t('Entering…')}</p>
    </SignInPage>
  )
}

type Mode = 'live' | 'test'

type AccountProps = {
  /** Why the last sign-in failed; null if it did not. */
  readonly why: string | null
  readonly onKey: () => void
}

/** Sign-in with the account of a company, at its OpenID Connect issuer. */
function AccountForm({ why, onKey }: AccountProps) {
  const { refusal } = useEntry()
  const asksForAccount = isAccountAsked()
  const sentence = refusal?.sentence ?? why
  const [mode, setMode] = useState<Mode>('live')
  const [isLeaving, setLeaving] = useState(false)
  const signIn = () => {
    setLeaving(true)
    void leaveForIssuer({ livemode: mode === 'live', again: asksForAccount })
  }
  return (
    <SignInPage>
      <Text c="dimmed" mt={6}>
        {i18n.t('Sign in with your company’s account. You stay signed in for 8 hours.')}
      </Text>
      <Stack gap="sm" mt="md">
        <Radio.Group
          label={i18n.t('Mode')}
          value={mode}
          onChange={(value) => setMode(value as Mode)}
        >
          <Group gap="lg" mt={6}>
            <Radio value="live" label={i18n.t('Live')} />
            <Radio value="test" label={i18n.t('Test')} />
          </Group>
        </Radio.Group>
        {sentence !== null && (
          <p className="refusal" role="alert">
            {sentence}
          </p>
        )}
        <Group gap="xs">
          <SteadyButton isPrimary isOff={isLeaving} onPress={signIn}>
            {isLeaving
              ? i18n.t('Going to the sign-in…')
              : asksForAccount
                ? i18n.t('Choose an account')
                : i18n.t('Sign in')}
          </SteadyButton>
          <Button variant="subtle" onClick={onKey}>
            {i18n.t('Use an API key')}
          </Button>
        </Group>
      </Stack>
    </SignInPage>
  )
}

/** For a person who is an operator of several organizations. */
function OrganizationChoice({ account }: { readonly account: ReturnType<typeof useAccount> }) {
  const { choices, choose, isRedeeming } = account
  return (
    <SignInPage title={i18n.t('Choose an organization')}>
      <Text c="dimmed" mt={6}>
        {i18n.t('You are an operator of {count} organizations.', { count: choices.length })}
      </Text>
      <Stack component="ul" className="organizations" gap="sm" mt="md" p={0}>
        {choices.map(({ organization_id: id, name }) => (
          <li key={id}>
            <SteadyButton isOff={isRedeeming} onPress={() => choose(id)}>
              {name}
            </SteadyButton>{' '}
            <code>{id}</code>
          </li>
        ))}
      </Stack>
    </SignInPage>
  )
}

/** A key in this tab's storage that has not opened a session yet. */
function KeptKey() {
  const { enterAgain, leave, refusal, isEntering } = useEntry()
  useAgain(refusal?.isAway === true && !isEntering, enterAgain)
  return (
    <SignInPage>
      <p role={refusal === null ? 'status' : 'alert'}>{refusal?.sentence ?? i18n.t('Entering…')}</p>
      <Group gap="xs" hidden={refusal === null}>
        <SteadyButton isPrimary isOff={isEntering} onPress={enterAgain}>
          {i18n.t('Try again')}
        </SteadyButton>
        <Button variant="default" onClick={leave}>
          {i18n.t('Enter another key')}
        </Button>
      </Group>
    </SignInPage>
  )
}

function KeyForm({ onAccount }: { readonly onAccount: (() => void) | null }) {
  const { enter, refusal, isEntering } = useEntry()
  const [apiKey, setApiKey] = useState('')
  const [keepInTab, setKeepInTab] = useState(false)
  const [tried, setTried] = useState<string | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isEntering) return
    setTried(apiKey)
    void enter(apiKey.trim(), keepInTab)
  }
  // Do not retry while the key is being edited.
  const isWaiting = refusal?.isAway === true && tried === apiKey
  useAgain(isWaiting && !isEntering, () => void enter(apiKey.trim(), keepInTab))
  return (
    <SignInPage>
      <Text c="dimmed" mt={6}>
        {i18n.t('Enter an API key. The console can do exactly what the key can do.')}
      </Text>
      <Stack component="form" gap="sm" mt="md" onSubmit={submit}>
        <TextInput
          type="password"
          label={i18n.t('API key')}
          autoComplete="off"
          spellCheck={false}
          required
          withAsterisk={false}
          placeholder={i18n.t('svc_test_… or svc_live_…')}
          value={apiKey}
          onChange={(event) => setApiKey(event.currentTarget.value)}
          aria-describedby={refusal === null ? undefined : 'refusal'}
          aria-invalid={refusal !== null}
        />
        <Checkbox
          label={i18n.t('Keep it until this tab is closed, even if the page is reloaded')}
          checked={keepInTab}
          onChange={(event) => setKeepInTab(event.currentTarget.checked)}
        />
        {refusal !== null && (
          <p id="refusal" className="refusal" role="alert">
            {refusal.sentence}
          </p>
        )}
        <Group gap="xs">
          <SteadyButton type="submit" isPrimary isOff={isEntering}>
            {isEntering ? i18n.t('Entering…') : i18n.t('Enter')}
          </SteadyButton>
          {onAccount !== null && (
            <Button variant="subtle" onClick={onAccount}>
              {i18n.t('Sign in with an account')}
            </Button>
          )}
        </Group>
      </Stack>
    </SignInPage>
  )
}

/** Repeats an action every few seconds while `isOn`. */
function useAgain(isOn: boolean, act: () => void): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (!isOn) return
    const timer = setTimeout(() => latest.current(), againEveryMs)
    return () => clearTimeout(timer)
  }, [isOn])
}
