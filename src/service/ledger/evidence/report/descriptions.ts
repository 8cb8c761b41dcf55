import type { JsonObject } from '../../../domain/decider.ts'
import type { EventData, ShipmentEventType } from '../../../domain/shipment/shipment-events.ts'
import type { Times } from './times.ts'

/** The vault's content for a reference; null if it is not part of the bundle. */
export type Kept = (ref: string | null) => JsonObject | null

type Given = { readonly times: Times; readonly kept: Kept }

/** What happened, and why, in sentences. */
export type Description = { readonly what: string; readonly why: string }

/** A new event type without a description in each language does not compile. */
export type Describers = {
  readonly [T in ShipmentEventType]: (data: EventData<T>, given: Given) => Description
}

/** The texts that a person or the courier wrote, if they are part of the bundle. */
export function textsIn(content: JsonObject | null): string {
  return Object.values(content ?? {})
    .filter((value) => typeof value === 'string' && value !== '')
    .join(' · ')
}
