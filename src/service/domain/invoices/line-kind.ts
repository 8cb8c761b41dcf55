/** What a line of an invoice is about, with its meaning. */
export const lineKindTexts = {
  charge: 'The courier bills the amount.',
  cash_on_delivery:
    'The courier pays the amount out: cash that it collected for the shop. It is compared with the `cash_on_delivery` of the shipment.',
} as const
export type LineKind = keyof typeof lineKindTexts
export const lineKinds = Object.keys(lineKindTexts) as [LineKind, ...LineKind[]]
