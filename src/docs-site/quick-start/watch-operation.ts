import type { Schemas } from '../../client/methods.ts'
import type { Answer } from './sample-call.ts'

type Operation = Schemas['Operation']

/** Something that happened to the operation while it was watched. */
export type Step = {
  /** Milliseconds since the watch began. */
  readonly at: number
  readonly text: string
  readonly isEnd: boolean
}

/** The service asks the simulated courier every few seconds. */
const askAgainMs = 500
/** In the quick start's scenario the courier's first answer names the guide. */
const watchMaxMs = 60_000

/** Polls the operation until it ends, and shows each response and each change. */
export async function watch(
  read: () => Promise<Answer>,
  show: (answer: Answer) => void,
  showSteps: (steps: readonly Step[]) => void,
): Promise<void> {
  const startedAt = performance.now()
  const steps: Step[] = []
  const note = (text: string, isEnd = false) => {
    if (steps.some((step) => step.text === text)) return
    steps.push({ at: performance.now() - startedAt, text, isEnd })
    showSteps([...steps])
  }
  while (performance.now() - startedAt < watchMaxMs) {
    const answer = await read()
    show(answer)
    if (answer.status !== 200) return
    const operation = answer.body as Operation
    if (operation.status === 'reconciling') note('reconciling: the guide may exist')
    for (const { at, answer: found } of operation.looks)
      note(`asked the courier at ${at}: ${found}`)
    if (operation.status !== 'reconciling') return note(endOf(operation), true)
    await new Promise((resolve) => setTimeout(resolve, askAgainMs))
  }
  note('It has not ended yet. Watch it again.')
}

function endOf({ status, result, resolution }: Operation): string {
  const guide = resolution?.guide_number
  const said = `${status}: ${result ?? 'no result'}`
  return guide === null || guide === undefined ? said : `${said}, guide ${guide}`
}
