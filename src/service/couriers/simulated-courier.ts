import { request } from 'undici'
import { type Connector, type ConnectorOptions, connector } from './connector.ts'
import { courierTimes, type SandboxContext } from './courier.ts'
import { isScenarioName, scenarios } from './scenarios/scenarios.ts'

export type SimulatedCourier = Connector & {
  /** Erases the personal data of a reference; false if the simulator did not confirm it. */
  erase(clientReference: string): Promise<boolean>
}

type SimulatedCourierOptions = {
  readonly url: string
  /** An address where nothing listens. */
  readonly closedPortUrl?: string
  readonly callMs?: number
} & Pick<ConnectorOptions, 'onCall' | 'traceparent'>

/**
 * Not part of the protocol: POST `{client_reference}` erases the personal data of the reference.
 */
export const erasePath = '/simulator/erase'

/**
 * Port 1 belongs to an obsolete service, needs privileges to bind, and lies outside the range of
 * client ports: a call to it is always refused.
 */
const closedPort = 'http://127.0.0.1:1'

/**
 * The simulated courier's adapter. The simulator cannot make itself unreachable, so that failure is
 * simulated here: attempts that must be unreachable in a scenario go to a port where nothing
 * listens.
 */
export function simulatedCourier(options: SimulatedCourierOptions): SimulatedCourier {
  const callMs = options.callMs ?? courierTimes.callMs
  const { onCall, traceparent } = options
  const shared = { callMs, onCall, traceparent }
  const open = connector({ baseUrl: options.url, ...shared })
  const closed = connector({ baseUrl: options.closedPortUrl ?? closedPort, ...shared })
  const chosen = ({ sandbox }: { readonly sandbox: SandboxContext | null }) =>
    isUnreachable(sandbox) ? closed : open
  return {
    ...open,
    createGuide: (call) => chosen(call).createGuide(call),
    quote: (call) => chosen(call).quote(call),
    verifyCredentials: (call) => chosen(call).verifyCredentials(call),
    async erase(clientReference) {
      try {
        const answer = await request(new URL(erasePath, options.url), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ client_reference: clientReference }),
          headersTimeout: callMs,
          bodyTimeout: callMs,
          reset: true,
        })
        await answer.body.dump()
        return answer.statusCode === 200
      } catch {
        return false
      }
    },
    async close() {
      await Promise.all([open.close(), closed.close()])
    },
  }
}

function isUnreachable(sandbox: SandboxContext | null): boolean {
  if (sandbox === null || !isScenarioName(sandbox.scenario)) return false
  return sandbox.attempt <= scenarios[sandbox.scenario].script.create.unreachableAttempts
}
