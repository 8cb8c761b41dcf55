import type { Courier, CourierCapabilities } from './courier.ts'

export type CourierMode = { readonly livemode: boolean; readonly providerCode: string }

export type LiveCourier = { readonly displayName: string; readonly courier: Courier }

type AvailableCourier = {
  readonly providerCode: string
  readonly displayName: string
  readonly modes: readonly ('test' | 'live')[]
  /** null while the courier is unreachable. */
  readonly capabilities: CourierCapabilities | null
}

export type Couriers = {
  /** The courier for a request in this mode; null if there is no such courier. */
  courierFor(mode: CourierMode): Courier | null
  /** The courier codes available in this mode, sorted. Does not contact any courier. */
  codes(mode: { readonly livemode: boolean }): readonly string[]
  /** The couriers available in this mode with their capabilities, sorted by code. */
  available(mode: { readonly livemode: boolean }): Promise<readonly AvailableCourier[]>
}

/** The simulated courier's code in every place. */
export const simulatedProviderCode = 'mock'
const simulatedDisplayName = 'Simulated courier'

/**
 * The couriers of this installation. The function that serves test-mode requests gets only the
 * simulator and the *names* of the live couriers, so no request in test mode can reach a live
 * courier. `live` may change during use.
 */
export function couriers(parts: {
  readonly simulator: Courier
  readonly live: ReadonlyMap<string, LiveCourier>
}): Couriers {
  const { live } = parts
  const names: Names = () =>
    new Map([...live].map(([code, { displayName }]) => [code, displayName] as const))
  const test = testCouriers(parts.simulator, names)
  const real = liveCouriers(live)
  return {
    courierFor: ({ livemode, providerCode }) => (livemode ? real : test).courierFor(providerCode),
    codes: ({ livemode }) => (livemode ? real : test).codes().toSorted(),
    available: ({ livemode }) => (livemode ? real : test).available(),
  }
}

type Names = () => ReadonlyMap<string, string>

type OneMode = {
  courierFor(providerCode: string): Courier | null
  codes(): readonly string[]
  available(): Promise<readonly AvailableCourier[]>
}

function testCouriers(simulator: Courier, names: Names): OneMode {
  return {
    courierFor: (code) => (code === simulatedProviderCode || names().has(code) ? simulator : null),
    codes: () => [...new Set([simulatedProviderCode, ...names().keys()])],
    async available() {
      const capabilities = await simulator.capabilities()
      const all = new Map(names()).set(simulatedProviderCode, simulatedDisplayName)
      return sorted(
        [...all].map(([providerCode, displayName]) => {
          const modes =
            providerCode === simulatedProviderCode
              ? (['test'] as const)
              : (['test', 'live'] as const)
          return { providerCode, displayName, modes, capabilities }
        }),
      )
    },
  }
}

function liveCouriers(live: ReadonlyMap<string, LiveCourier>): OneMode {
  const registered = (code: string) => (code === simulatedProviderCode ? undefined : live.get(code))
  const codes = () => [...live.keys()].filter((code) => code !== simulatedProviderCode)
  return {
    courierFor: (code) => registered(code)?.courier ?? null,
    codes,
    async available() {
      const found = codes().map(async (providerCode) => {
        const entry = registered(providerCode)
        if (entry === undefined) return []
        const capabilities = await entry.courier.capabilities()
        const modes = ['test', 'live'] as const
        return [{ providerCode, displayName: entry.displayName, modes, capabilities }]
      })
      return sorted((await Promise.all(found)).flat())
    },
  }
}

function sorted(list: readonly AvailableCourier[]): readonly AvailableCourier[] {
  return list.toSorted((a, b) => (a.providerCode < b.providerCode ? -1 : 1))
}
