import type { App, ReadinessCheck, ServerDeps } from '../api-services.ts'

/** A part that does not report ready within this time counts as not ready. */
const checkMs = 2_000

async function answerOf(check: ReadinessCheck): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${checkMs} ms`), checkMs)
  })
  try {
    return (await Promise.race([check(), late])) ?? 'ok'
  } catch {
    return 'failed'
  } finally {
    clearTimeout(timer)
  }
}

type Answers = {
  /** By the names of the checks: `ok` or a few words. */
  readonly answers: Readonly<Record<string, string>>
  readonly areOk: boolean
}

/** Runs the checks concurrently. Never rejects. */
export async function answersOf(
  checks: Readonly<Record<string, ReadinessCheck>>,
): Promise<Answers> {
  const answers = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await answerOf(check)] as const),
  )
  return {
    answers: Object.fromEntries(answers),
    areOk: answers.every(([, answer]) => answer === 'ok'),
  }
}

/**
 * `/healthz` says that the process is alive. `/readyz` says whether every part that it needs is ready
 * and which is not, and shows warnings.
 */
export function healthRoutes(
  app: App,
  deps: Pick<ServerDeps, 'readiness' | 'warnings'>,
  isDraining: () => boolean,
): void {
  app.get('/healthz', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json').send(Buffer.from('{"status":"ok"}')),
  )
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const [needed, warned] = await Promise.all([
      answersOf(deps.readiness),
      answersOf(deps.warnings ?? {}),
    ])
    const ready = !isDraining() && needed.areOk
    const body = {
      status: ready ? 'ready' : 'not_ready',
      checks: {
        ...needed.answers,
        ...warned.answers,
        server: isDraining() ? 'draining' : 'ok',
      },
    }
    return reply
      .code(ready ? 200 : 503)
      .type('application/json')
      .send(Buffer.from(JSON.stringify(body)))
  })
}
