/** The page that explains what a connector does, and why. */
export const connectorGuide = 'docs/guides/connect-a-courier.md'

type Explanation = {
  /** The consequence in the ledger if the check fails. */
  readonly why: string
  /** The section of the guide. */
  readonly section: string
}

/** Every check of a connector. */
export const checkExplanations = {
  'it describes itself and its capabilities': {
    why: 'The ledger asks a courier only for what its connector declares.',
    section: 'describe-it',
  },
  'agencies are listed within the bounds, each code once': {
    why: 'Shops choose agencies from this list; a code that occurs twice could send a parcel to the wrong one.',
    section: 'the-catalogues',
  },
  'package products are listed within the bounds, each code once': {
    why: 'Shops choose a product from this list, and its limits decide which packages are accepted.',
    section: 'the-catalogues',
  },
  'good credentials are accepted': {
    why: 'A connection with these credentials could never be used.',
    section: 'credentials',
  },
  'wrong credentials are answered 401': {
    why: 'Only 401 parks the connection and tells the shop to replace its credentials.',
    section: 'credentials',
  },
  'a creation with wrong credentials is answered 401': {
    why: 'With any other answer the ledger would not know whether the guide exists, and would look for it for hours.',
    section: 'credentials',
  },
  'a request without its fields is refused in the refusal shape': {
    why: 'An error without this shape means that the call may have been executed.',
    section: 'say-what-you-know',
  },
  'an unknown agency is refused in the refusal shape': {
    why: 'A clear refusal lets the shop correct the request at once; an error starts a reconciliation.',
    section: 'say-what-you-know',
  },
  'a creation with an unknown service is refused': {
    why: 'The shop would pay for another service than the one that it asked for.',
    section: 'create-a-guide',
  },
  'a quote for an unknown service has no price': {
    why: 'The shop would be shown the price of another service than the one that it asked for.',
    section: 'quotes',
  },
  'a creation after not_after is refused and not executed': {
    why: 'After this time the ledger may conclude that nothing was created. A guide created later would be paid for and lost.',
    section: 'create-a-guide',
  },
  'an unknown reference finds no guide': {
    why: 'Finding a guide under a reference ends the reconciliation, so it must belong to that reference.',
    section: 'find-guides',
  },
  'a find with wrong credentials is answered 401': {
    why: 'An empty list would say that there is no guide, and the ledger would create another one.',
    section: 'find-guides',
  },
  'a quote has the documented form and prices something': {
    why: 'A quote that cannot be read is shown to the shop as an unreachable courier.',
    section: 'quotes',
  },
  'a creation at a price that was never quoted is refused': {
    why: 'A shop that sends a quote pays that price or nothing.',
    section: 'quotes',
  },
  'a creation answers its guide': {
    why: 'Without the guide in the answer, every shipment needs a reconciliation.',
    section: 'create-a-guide',
  },
  'the new guide, and no other, is found by its reference': {
    why: 'This is how a lost answer is recovered, and how a restored ledger avoids a second guide. Without it the shop loses track of the guide that it pays for.',
    section: 'find-guides',
  },
  'a guide that stands is found with include_cancelled too': {
    why: 'A restored ledger asks for cancelled guides as well. It would create a guide again if this answer does not list it.',
    section: 'find-guides',
  },
  'a reference that is almost the same finds no guide': {
    why: "References are compared whole and case-sensitively. Otherwise a shipment would get another one's guide.",
    section: 'find-guides',
  },
  'a guide number finds no guide of another reference': {
    why: 'The number only helps a courier that searches by number. The guide must still belong to the reference.',
    section: 'find-guides',
  },
  'tracking has the documented form and codes': {
    why: 'An event with an unknown code is stored, but moves no status.',
    section: 'tracking',
  },
  'a guide under a foreign reference is refused': {
    why: 'A mistyped guide number would show the parcel of another shop.',
    section: 'tracking',
  },
  'the label is a PDF, or is announced for later': {
    why: 'Shops print the label in the format of their printer, so the ledger must be able to open it. Before it exists, the ledger asks again later.',
    section: 'labels',
  },
  'a cancellation after not_after is refused and not executed': {
    why: 'After this time the ledger may conclude that the guide still stands.',
    section: 'cancel-a-guide',
  },
  'a guide can be cancelled, and again without harm': {
    why: 'A cancellation is sent again if its answer was lost.',
    section: 'cancel-a-guide',
  },
  'a cancelled guide is left out unless it is asked for': {
    why: 'The ledger would take it for a guide that the shop can still use.',
    section: 'find-guides',
  },
  'a cancelled guide is found as such on request': {
    why: 'After a lost answer this is the only way to tell whether the guide is cancelled.',
    section: 'cancel-a-guide',
  },
  'the guide of an earlier check is still found': {
    why: 'A restored ledger asks for guides that it no longer knows. It would create a guide again if it is no longer found.',
    section: 'find-guides',
  },
  'an invoice has the documented form, or is not ready': {
    why: 'A line that cannot be read makes the whole invoice unreadable: a partial invoice would look complete.',
    section: 'invoices',
  },
  'a month has the same invoice number each time': {
    why: 'Under another number it would be another invoice, and each of its guides would be billed twice.',
    section: 'invoices',
  },
  'a month that has not begun has no invoice': {
    why: 'Anything else would be stored as what the courier bills.',
    section: 'invoices',
  },
  'an invoice with wrong credentials is answered 401': {
    why: 'An invoice lists what a shop ships, and only 401 tells the shop to replace its credentials.',
    section: 'invoices',
  },
} as const satisfies Readonly<Record<string, Explanation>>

export type CheckName = keyof typeof checkExplanations
