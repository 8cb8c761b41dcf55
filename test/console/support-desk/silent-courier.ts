import { operations } from '../../../src/service/couriers/protocol.ts'
import { forwardingProxy } from '../../support/forwarding-proxy.ts'

/**
 * A proxy to the courier that can refuse to say which guides exist, so that an unknown outcome
 * stays unknown for as long as a test looks at it.
 */
export function silentCourier(t: Parameters<typeof forwardingProxy>[0]) {
  let isSilent = true
  return {
    /** Starts the proxy and returns its URL. */
    courierUrl: (simulatorUrl: string) =>
      forwardingProxy(t, simulatorUrl, {
        isCut: (path) => isSilent && path === operations.findGuides.path,
      }),
    speak: () => {
      isSilent = false
    },
    fallSilent: () => {
      isSilent = true
    },
  }
}
