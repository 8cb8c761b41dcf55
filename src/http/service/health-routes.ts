import type { App, ReadinessCheck, ServerDeps } from '../server-deps.ts'

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

/**
 * `/healthz`: the process is alive. `/readyz`: whether every part it needs is ready, or which is
 * not.
 */
export function healthRoutes(
  app: App,
  deps: Pick<ServerDeps, 'readiness'>,
  isDraining: () => boolean,
): void {
  app.get('/healthz', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json').send(Buffer.from('{"status":"ok"}')),
  )
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const answers = await Promise.all(
      Object.entries(deps.readiness).map(
        async ([name, check]) => [name, await answerOf(check)] as const,
      ),
    )
    const ready = !isDraining() && answers.every(([, answer]) => answer === 'ok')
    const body = {
      status: ready ? 'ready' : 'not_ready',
      checks: { ...Object.fromEntries(answers), server: isDraining() ? 'draining' : 'ok' },
    }
    return reply
      .code(ready ? 200 : 503)
      .type('application/json')
      .send(Buffer.from(JSON.stringify(body)))
  })
}
