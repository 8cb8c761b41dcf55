/** Lines of an invoice: a month of a busy shop. */
export const invoiceLinesMax = 100_000
/** Of a line: 100 million units, so that the sum of 100,000 lines is an exact number. */
export const billedAmountMax = 10_000_000_000
/** A thousand tonnes, more than a courier carries in one parcel. */
export const billedWeightKgMax = 1_000_000
/** As a courier prints it. */
export const billedReferenceLengthMax = 255
