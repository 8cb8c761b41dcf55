/** Lines per invoice: a month of a busy shop. */
export const invoiceLinesMax = 100_000
/** Amount of a line: 100 million units, so the sum of 100,000 lines is still an exact number. */
export const billedAmountMax = 10_000_000_000
/** A thousand tonnes, more than a courier carries in one parcel. */
export const billedWeightKgMax = 1_000_000
/** Length of a reference as the courier prints it. */
export const billedReferenceLengthMax = 255

/** More than any courier uses. */
export const currenciesMax = 10
/** The error of a line in one more currency. */
export const tooManyCurrencies = {
  pointer: '/currency',
  reason: 'too_many_currencies',
  detail: `An invoice has at most ${currenciesMax} currencies.`,
} as const
