import type {
  Courier,
  CourierCapabilities,
  CourierDescription,
  CredentialField,
} from './courier.ts'

export type CourierMode = { readonly livemode: boolean; readonly providerCode: string }

export type LiveCourier = { readonly displayName: string; readonly courier: Courier }

type AvailableCourier = {
  readonly providerCode: string
  readonly displayName: string
  readonly modes: readonly ('test' | 'live')[]
  /** null while the courier is unreachable. */
  readonly capabilities: CourierCapabilities | null
  /** null while the courier is unreachable. */
  readonly credentialFields: readonly CredentialField[] | null
}

export type Couriers = {
  /** The courier for a request in this mode; null if there is no such courier. */
  courierFor(mode: CourierMode): Courier | null
  /** The courier's name for people; null if there is no such courier. Does not contact any. */
  displayName(mode: CourierMode): string | null
  /** The courier codes available in this mode, sorted. Does not contact any courier. */
  codes(mode: { readonly livemode: boolean }): readonly string[]
  /** The couriers available in this mode with their capabilities, sorted by code. */
  available(mode: { readonly livemode: boolean }): Promise<readonly AvailableCourier[]>
  /**
   * What the courier for a request in this mode asks for and can do, as it last said; null if there
   * is no such courier, or it has not answered this process yet.
   */
  describe(mode: CourierMode): Promise<CourierDescription | null>
}

/** A description is asked for again after this time. */
const describedMs = 5_000

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
  const courierFor = ({ livemode, providerCode }: CourierMode) =>
    (livemode ? real : test).courierFor(providerCode)
  const described = lastDescriptions()
  return {
    courierFor,
    async describe(mode) {
      const courier = courierFor(mode)
      return courier === null ? null : await described(courier)
    },
    displayName({ livemode, providerCode }) {
      if (providerCode === simulatedProviderCode) return livemode ? null : simulatedDisplayName
      return live.get(providerCode)?.displayName ?? null
    },
    codes: ({ livemode }) => (livemode ? real : test).codes().toSorted(),
    available: ({ livemode }) => (livemode ? real : test).available(),
  }
}

/** A courier that does not answer now is what it last said that it is. */
function lastDescriptions(): (courier: Courier) => Promise<CourierDescription | null> {
  const known = new WeakMap<
    Courier,
    { readonly description: CourierDescription; readonly at: number }
  >()
  return async (courier) => {
    const last = known.get(courier)
    if (last !== undefined && performance.now() - last.at < describedMs) return last.description
    const description = await courier.describe().catch(() => null)
    if (description === null) return last?.description ?? null
    known.set(courier, { description, at: performance.now() })
    return description
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
      const { capabilities = null, credentialFields = null } = (await simulator.describe()) ?? {}
      const all = new Map(names()).set(simulatedProviderCode, simulatedDisplayName)
      return sorted(
        [...all].map(([providerCode, displayName]) => {
          const modes =
            providerCode === simulatedProviderCode
              ? (['test'] as const)
              : (['test', 'live'] as const)
          return { providerCode, displayName, modes, capabilities, credentialFields }
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
        const { displayName, courier } = entry
        const { capabilities = null, credentialFields = null } = (await courier.describe()) ?? {}
        const modes = ['test', 'live'] as const
        return [{ providerCode, displayName, modes, capabilities, credentialFields }]
      })
      return sorted((await Promise.all(found)).flat())
    },
  }
}

function sorted(list: readonly AvailableCourier[]): readonly AvailableCourier[] {
  return list.toSorted((a, b) => (a.providerCode < b.providerCode ? -1 : 1))
}
