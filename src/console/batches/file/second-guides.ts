/** A line that is to be sent. */
type Order = {
  readonly line: number
  readonly reference: string
  /** Empty: the batch derives one. */
  readonly key: string
}

/** A line that was sent before, and has a guide or may have one. */
export type SentOrder = {
  readonly reference: string
  readonly key: string
  readonly shipmentId: string
}

export type SecondGuide = { readonly order: Order; readonly sent: SentOrder }

const derived = /^batch-[\w-]{43}$/

/**
 * The orders that a batch of the same name had in another way, so that they would get a second guide:
 * a spreadsheet made 123 of 00123, or a line got a key that it did not have. A second parcel is none,
 * because the line of the first is there too.
 */
export function secondGuides(
  orders: readonly Order[],
  sent: readonly SentOrder[],
): readonly SecondGuide[] {
  const byKey = new Map(sent.map((one) => [one.key, one]))
  const byReference = Map.groupBy(
    sent.filter(({ key }) => derived.test(key)),
    ({ reference }) => reference,
  )
  const foundBy = ({ reference, key }: Order): readonly SentOrder[] =>
    key === '' ? (byReference.get(reference) ?? []) : [byKey.get(key)].filter(isDefined)
  const found = new Set(orders.flatMap(foundBy))
  const lost = new Map(
    sent.filter((one) => !found.has(one)).map((one) => [spelling(one.reference), one]),
  )
  return orders.flatMap((order) => {
    const one = lost.get(spelling(order.reference))
    return one === undefined || foundBy(order).length > 0 ? [] : [{ order, sent: one }]
  })
}

function isDefined<T>(one: T | undefined): one is T {
  return one !== undefined
}

/** Without what spreadsheets and people change by accident. */
function spelling(reference: string): string {
  return reference
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/^0+(?=.)/, '')
}
