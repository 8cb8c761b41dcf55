import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
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
      <Button variant="default" onClick={session.leave}>
        Sign out
      </Button>
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isEntering) void session.enter(apiKey.trim())
  }
  return (
    <form onSubmit={submit}>
      <TextInput
        type="password"
        label="Test key"
        description="It stays in this tab and is only sent to this service."
        placeholder="svc_test_…"
        autoComplete="off"
        spellCheck={false}
        required
        withAsterisk={false}
        value={apiKey}
        onChange={(event) => setApiKey(event.currentTarget.value)}
        error={refusal}
      />
      <Button type="submit" loading={isEntering}>
        Use this key
      </Button>
    </form>
  )
}
