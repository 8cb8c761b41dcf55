import { Button, Checkbox, Group, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { SteadyButton } from './parts/steady-button.tsx'
import { againEveryMs } from './reading/use-recovery.ts'
import { useEntry } from './session.tsx'

/**
 * Sign-in with an API key. The key is never in an address or a cookie, and nothing keeps it after
 * the tab is closed.
 */
export function SignIn() {
  return useEntry().isKept ? <KeptKey /> : <KeyForm />
}

/** A key in this tab's storage that has not opened a session yet. */
function KeptKey() {
  const { enterAgain, leave, refusal, isEntering } = useEntry()
  useAgain(refusal?.isAway === true && !isEntering, enterAgain)
  return (
    <main className="sign-in">
      <Title order={1}>shipping-ledger console</Title>
      <p role={refusal === null ? 'status' : 'alert'}>{refusal?.sentence ?? 'Entering…'}</p>
      <Group gap="xs" hidden={refusal === null}>
        <SteadyButton isPrimary isOff={isEntering} onPress={enterAgain}>
          Try again
        </SteadyButton>
        <Button variant="default" onClick={leave}>
          Enter another key
        </Button>
      </Group>
    </main>
  )
}

function KeyForm() {
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
    <main className="sign-in">
      <Title order={1}>shipping-ledger console</Title>
      <Text c="dimmed" mt={6}>
        Enter an API key. The console can do exactly what the key can do.
      </Text>
      <form onSubmit={submit}>
        <TextInput
          type="password"
          label="API key"
          autoComplete="off"
          spellCheck={false}
          required
          withAsterisk={false}
          placeholder="svc_test_… or svc_live_…"
          value={apiKey}
          onChange={(event) => setApiKey(event.currentTarget.value)}
          aria-describedby={refusal === null ? undefined : 'refusal'}
          aria-invalid={refusal !== null}
        />
        <Checkbox
          label="Keep it until this tab is closed, even if the page is reloaded"
          checked={keepInTab}
          onChange={(event) => setKeepInTab(event.currentTarget.checked)}
        />
        {refusal !== null && (
          <p id="refusal" className="refusal" role="alert">
            {refusal.sentence}
          </p>
        )}
        <SteadyButton type="submit" isPrimary isOff={isEntering}>
          {isEntering ? 'Entering…' : 'Enter'}
        </SteadyButton>
      </form>
    </main>
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
