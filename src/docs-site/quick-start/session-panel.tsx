import { type FormEvent, useId, useState } from 'react'
import type { TestSession } from './test-session.ts'

/** How many characters of a key are shown. */
const keyEnd = 4

type PanelProps = {
  readonly session: TestSession
  /** The page has a step that creates a courier connection. */
  readonly makesConnection: boolean
}

/** Signs in with a test key, so that the samples below can run. */
export function SessionPanel({ session, makesConnection }: PanelProps) {
  return (
    <section className="session" aria-label="Your test key">
      {session.isSignedIn ? (
        <SignedIn session={session} makesConnection={makesConnection} />
      ) : (
        <KeyForm session={session} />
      )}
    </section>
  )
}

function SignedIn({ session, makesConnection }: PanelProps) {
  const { SHIPPING_LEDGER_KEY = '', WORKSPACE_ID, CONNECTION_ID } = session.variables
  return (
    <>
      <p role="status">
        Signed in with the test key <code>…{SHIPPING_LEDGER_KEY.slice(-keyEnd)}</code>.{' '}
        {CONNECTION_ID === undefined ? (
          <NoConnection makesConnection={makesConnection} />
        ) : (
          <>
            The samples use your workspace <code>{WORKSPACE_ID}</code> and its connection{' '}
            <code>{CONNECTION_ID}</code>
            {makesConnection ? ', so you can begin with step 4.' : '.'}
          </>
        )}
      </p>
      <button type="button" className="button" onClick={session.leave}>
        Sign out
      </button>
    </>
  )
}

function NoConnection({ makesConnection }: Pick<PanelProps, 'makesConnection'>) {
  if (makesConnection) return 'It has no courier connection yet: begin with step 2.'
  return (
    <>
      It has no courier connection yet: create one with the{' '}
      <a href="/docs/guides/quick-start">quick start</a>.
    </>
  )
}

function KeyForm({ session }: { readonly session: TestSession }) {
  const { refusal, isEntering } = session
  const [apiKey, setApiKey] = useState('')
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isEntering) void session.enter(apiKey.trim())
  }
  return (
    <form onSubmit={submit}>
      <div>
        <label htmlFor={id}>Test key</label>
        <p className="reason" id={`${id}-about`}>
          It stays in this tab and is only sent to this service.
        </p>
        <input
          id={id}
          type="password"
          placeholder="svc_test_…"
          autoComplete="off"
          spellCheck={false}
          required
          aria-describedby={`${id}-about ${id}-refusal`}
          aria-invalid={refusal !== null}
          value={apiKey}
          onChange={(event) => setApiKey(event.currentTarget.value)}
        />
        <p className="refused" id={`${id}-refusal`} role="alert">
          {refusal}
        </p>
      </div>
      <button type="submit" className="button" data-primary aria-busy={isEntering}>
        Use this key
      </button>
    </form>
  )
}
