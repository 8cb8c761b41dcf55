import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlay'
import highlighter from 'highlight.js/lib/core'
import json from 'highlight.js/lib/languages/json'
import { useMemo, useRef, useState } from 'react'
import { saveFile } from '../../console/parts/save-file.ts'
import type { Sample } from '../site-page.ts'
import { advanceClock, advancePath } from './advance-clock.ts'
import { type Answer, keptFrom, makeCall, missingNames } from './sample-call.ts'
import type { TestSession } from './test-session.ts'
import { type Step, watch } from './watch-operation.ts'

type RunProps = { readonly sample: Sample; readonly session: TestSession }

/** Makes the sample's call and shows the response. */
export function RunSample({ sample, session }: RunProps) {
  const { variables } = session
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [steps, setSteps] = useState<readonly Step[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const [isRunning, setRunning] = useState(false)
  const runs = useRef(0)
  const missing = missingNames(sample, variables)
  const run = async () => {
    const own = ++runs.current
    setRunning(true)
    setFailure(null)
    setSteps([])
    const show = (shown: Answer) => {
      if (own !== runs.current) return
      setAnswer(shown)
      session.keep(keptFrom(sample, shown))
    }
    try {
      const call = () => makeCall(sample, variables)
      if (sample.isWatched) await watch(call, show, setSteps)
      else if (sample.path === advancePath) {
        session.setAdvancing(true)
        await advanceClock(call, () => makeCall(clockRead(sample), variables), show)
      } else show(await call())
    } catch (error) {
      setFailure(`The call failed: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      setRunning(false)
      if (sample.path === advancePath) session.setAdvancing(false)
    }
  }
  const hindrance = hindranceOf(missing, session.isAdvancing && !isRunning)
  if (!session.isSignedIn) return null
  return (
    <div className="run">
      <div className="run-line">
        <button
          type="button"
          className="button"
          data-primary
          onClick={run}
          disabled={isRunning || hindrance !== null}
        >
          <IconPlayerPlay size={14} aria-hidden />
          {isRunning ? 'Running…' : sample.isWatched ? 'Watch' : 'Run'}
        </button>
        {hindrance !== null && <span className="reason">{hindrance}</span>}
      </div>
      {failure !== null && <p role="alert">{failure}</p>}
      {steps.length > 0 && <Steps steps={steps} />}
      {answer !== null && <Shown answer={answer} sample={sample} />}
    </div>
  )
}

/** Why the sample cannot run now. */
function hindranceOf(missing: readonly string[], isAdvancing: boolean): string | null {
  if (missing.length > 0)
    return `Run the samples above first: this one needs ${missing.join(', ')}.`
  return isAdvancing ? 'Wait until the clock has advanced.' : null
}

/** Reads the clock that the sample advances. */
function clockRead(sample: Sample): Sample {
  const path = '/v1/sandbox/clock?workspace_id=$WORKSPACE_ID'
  return { ...sample, method: 'GET', path, body: null }
}

function Steps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <ol className="steps" aria-label="What happens to the operation">
      {steps.map(({ at, text, isEnd }) => (
        <li key={`${at} ${text}`} data-end={isEnd || undefined}>
          <span className="reason">{(at / 1_000).toFixed(0)} s</span> {text}
        </li>
      ))}
    </ol>
  )
}

type ShownProps = { readonly answer: Answer; readonly sample: Sample }

function Shown({ answer, sample }: ShownProps) {
  const { status, isReplayed, reason, body, file } = answer
  const tone = status < 300 ? 'good' : status < 500 ? 'warn' : 'bad'
  return (
    <div className="answer">
      <p role="status">
        <span className="badge" data-tone={tone}>
          {status}
        </span>{' '}
        {isReplayed && <code>Idempotent-Replayed: true</code>}
        {reason !== null && (
          <a href={`/docs/errors#${reason}`}>
            <code>{reason}</code>
          </a>
        )}
      </p>
      {file !== null && sample.file !== null && <Save name={sample.file} file={file} />}
      {body !== null && <Json value={body} />}
    </div>
  )
}

type SaveProps = { readonly name: string; readonly file: NonNullable<Answer['file']> }

function Save({ name, file: { type, content } }: SaveProps) {
  return (
    <button type="button" className="button" onClick={() => saveFile(name, type, content)}>
      Save {name} ({Math.ceil(content.size / 1_024)} KB)
    </button>
  )
}

highlighter.registerLanguage('json', json)

function Json({ value }: { readonly value: unknown }) {
  const html = useMemo(
    () => highlighter.highlight(JSON.stringify(value, null, 2), { language: 'json' }).value,
    [value],
  )
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
      <pre tabIndex={0}>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes the text */}
        <code dangerouslySetInnerHTML={{ __html: html }} />
      </pre>
      <button type="button" className="copy-code">
        Copy
      </button>
    </div>
  )
}
