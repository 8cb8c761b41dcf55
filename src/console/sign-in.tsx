import { type FormEvent, useEffect, useRef, useState } from 'react'
import { againEveryMs } from './parts/recovery.ts'
import { SteadyButton } from './parts/steady-button.tsx'
import { useEntry } from './session.tsx'

/**
 * Sign-in with an API key. The key is never in an address, a cookie or anything that outlives the
 * tab.
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
      <h1>shipping-ledger console</h1>
      <p role={refusal === null ? 'status' : 'alert'}>{refusal?.sentence ?? 'Entering…'}</p>
      <div className="actions" hidden={refusal === null}>
        <SteadyButton className="primary" isOff={isEntering} onPress={enterAgain}>
          Try again
        </SteadyButton>
        <button type="button" onClick={leave}>
          Enter another key
        </button>
      </div>
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
  // A key that is being edited is not the one that was entered.
  const isWaiting = refusal?.isAway === true && tried === apiKey
  useAgain(isWaiting && !isEntering, () => void enter(apiKey.trim(), keepInTab))
  return (
    <main className="sign-in">
      <h1>shipping-ledger console</h1>
      <p>
        Enter an API key. The console is a client of the API like any other: it shows and does what
        the key may.
      </p>
      <form onSubmit={submit}>
        <label htmlFor="api-key">API key</label>
        <input
          id="api-key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          placeholder="svc_test_… or svc_live_…"
          value={apiKey}
          onChange={(event) => setApiKey(event.target.value)}
          aria-describedby={refusal === null ? undefined : 'refusal'}
          aria-invalid={refusal !== null}
        />
        <label className="choice">
          <input
            type="checkbox"
            checked={keepInTab}
            onChange={(event) => setKeepInTab(event.target.checked)}
          />
          Keep it until this tab is closed, also when the page is loaded again
        </label>
        {refusal !== null && (
          <p id="refusal" className="refusal" role="alert">
            {refusal.sentence}
          </p>
        )}
        <SteadyButton type="submit" className="primary" isOff={isEntering}>
          {isEntering ? 'Entering…' : 'Enter'}
        </SteadyButton>
      </form>
    </main>
  )
}

/** While on, repeats an act every few seconds. */
function useAgain(isOn: boolean, act: () => void): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (!isOn) return
    const timer = setTimeout(() => latest.current(), againEveryMs)
    return () => clearTimeout(timer)
  }, [isOn])
}
