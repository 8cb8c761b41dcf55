import { z } from 'zod'
import { tolerantAnswers } from '../../couriers/protocol.ts'
import { shipmentStream } from '../../domain/ids.ts'
import type { Money } from '../../domain/operation/machine.ts'
import type { ProcessServices } from '../process-services.ts'

type PriceDeps = Pick<ProcessServices, 'store' | 'vault'>

/** Later answers repeat the prices of earlier ones, so the newest are enough. */
const answersRead = 20

const lookEvent = z.object({ operation_id: z.string(), exchanges_ref: z.string() })
const bodies = z.object({
  exchanges: z.array(z.object({ response: z.object({ text: z.string() }).nullable().catch(null) })),
})

/**
 * The price of each guide in the courier's newest answer that lists it. Answers are personal data:
 * after an erasure no price is known.
 */
export async function guidePrices(
  { store, vault }: PriceDeps,
  { shipmentId, operationId }: { readonly shipmentId: string; readonly operationId: string },
): Promise<ReadonlyMap<string, Money>> {
  const events = await store.readStream(shipmentStream(shipmentId))
  const refs = events.flatMap(({ type, data }) => {
    const look = type === 'GuideLookedUp' ? lookEvent.safeParse(data) : null
    return look?.data?.operation_id === operationId ? [look.data.exchanges_ref] : []
  })
  const newest = refs.slice(-answersRead)
  const items = await vault.openItems(newest)
  const prices = new Map<string, Money>()
  for (const ref of newest) {
    for (const { guide_number: guideNumber, price } of guidesIn(items.get(ref))) {
      if (price !== null) prices.set(guideNumber, price)
    }
  }
  return prices
}

function guidesIn(item: unknown) {
  const read = bodies.safeParse(item)
  if (!read.success) return []
  return read.data.exchanges.flatMap(({ response }) => {
    const answer = tolerantAnswers.findGuides.safeParse(jsonOf(response?.text))
    return answer.success ? answer.data.guides : []
  })
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? null : JSON.parse(text)
  } catch {
    return null
  }
}
