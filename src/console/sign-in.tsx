import { type FormEvent, useState } from 'react'
import { SteadyButton } from './parts/steady-button.tsx'
import { useEntry } from './session.tsx'

/** Entry with an API key. It is never in an address, a cookie or anything that outlives the tab. */
export function SignIn() {
  const { enter, enterAgain, leave, refusal, isEntering, isKept } = useEntry()
  const [apiKey, setApiKey] = useState('')
  const [keepInTab, setKeepInTab] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isEntering) return
    if (await enter(apiKey.trim(), keepInTab)) setApiKey('')
  }
  if (isKept) {
    return (
      <main className="sign-in">
        <h1>shipping-ledger console</h1>
        <p role={refusal === null ? 'status' : 'alert'}>{refusal ?? 'Entering…'}</p>
        <div className="actions" hidden={refusal === null}>
          <button type="button" className="primary" onClick={enterAgain}>
            Try again
          </button>
          <button type="button" onClick={leave}>
            Enter another key
          </button>
        </div>
      </main>
    )
  }
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
            {refusal}
          </p>
        )}
        <SteadyButton type="submit" className="primary" isOff={isEntering}>
          {isEntering ? 'Entering…' : 'Enter'}
        </SteadyButton>
      </form>
    </main>
  )
}
