import { protocolVersion } from '../../src/service/couriers/connector-description.ts'
import type { OperationName } from '../../src/service/couriers/protocol.ts'
import { connectorLimits, notBilledCode } from '../../src/service/couriers/protocol-codes.ts'

export type Description = {
  readonly summary: string
  readonly description: string
  /** Statuses besides 200, 401, 429 and 5XX. */
  readonly other: readonly ('400' | '404' | '409' | '412')[]
}

export const descriptions: Readonly<Record<OperationName, Description>> = {
  describe: {
    summary: 'Describe the connector',
    description: 'The name of the courier, and what the connector can be asked for.',
    other: ['400'],
  },
  agencies: {
    summary: 'List agencies',
    description: `Every agency, at most ${connectorLimits.agenciesMax}. Needs no credentials.`,
    other: ['400'],
  },
  packageProducts: {
    summary: 'List package products',
    description: `Every product, at most ${connectorLimits.packageProductsMax}. Needs no credentials.`,
    other: ['400'],
  },
  verifyCredentials: {
    summary: 'Verify credentials',
    description: 'Whether the courier accepts the credentials. Changes nothing.',
    other: ['400'],
  },
  quote: {
    summary: 'Quote',
    description:
      'The prices of every service on the route, or of the requested one. A service that cannot be priced is in `errors`.',
    other: ['400'],
  },
  createGuide: {
    summary: 'Create a guide',
    description:
      'Creates one guide, at most once per call, and keeps `client_reference` with it so that `POST /guides/find` finds it at once. A call that arrives after `not_after` is answered 412 and not executed. The ledger never repeats a call whose outcome it does not know.',
    other: ['400', '412'],
  },
  findGuides: {
    summary: 'Find guides by reference',
    description:
      'Every guide under the reference, except cancelled ones. An empty list says that there is certainly none now; a connector that cannot tell answers 5XX. With `include_cancelled` cancelled ones are listed too, with `status: "cancelled"`: so the ledger learns how a cancellation ended whose answer was lost, and which guides exist that a restored ledger has forgotten. `guide_number`, if given, is for couriers that can only be asked by number: the guide is listed if it belongs to the reference.',
    other: ['400'],
  },
  cancelGuide: {
    summary: 'Cancel a guide',
    description: 'Voids the guide. Succeeds even if it was cancelled before.',
    other: ['400', '404', '412'],
  },
  track: {
    summary: 'Track a guide',
    description: `Every event that the courier knows, in any order, at most ${connectorLimits.trackingEventsMax}.`,
    other: ['400', '404'],
  },
  label: {
    summary: 'Download the label',
    description:
      'The label as a PDF, one page per piece. While it does not exist: 202, or 409 with the code `label_not_ready`.',
    other: ['400', '404', '409'],
  },
  invoice: {
    summary: "Read a month's invoice",
    description: `What the courier bills the account for the guides of a calendar month, at most ${connectorLimits.invoiceLinesMax} lines. Optional: only a connector whose capabilities have \`invoices: true\` is asked. Without an invoice for the month, or while there is none yet: 409 with the code \`${notBilledCode}\`. \`reference\` is the invoice's number, the same each time; with another number it is another invoice.`,
    other: ['400', '409'],
  },
}

const exampleCredentials = { username: 'shop', password: 'secret' }
const exampleRoute = {
  origin: { agency_code: 'A001' },
  destination: { agency_code: 'A004' },
  package: {
    product_code: 'box_xs',
    quantity: 1,
    weight_kg: 1.5,
    height_m: 0.1,
    length_m: 0.2,
    width_m: 0.15,
  },
}
const exampleGuide = {
  guide_number: 'SG00000000000001',
  pickup_code: '0000',
  price: { amount: 1860, currency: 'PEN' },
}
const exampleCall = {
  credentials: exampleCredentials,
  client_reference: 'shp_0000000000000000000001',
}
const exampleGuideCall = { ...exampleCall, guide_number: exampleGuide.guide_number }

/** Examples of requests and answers; a test parses each with its schema. */
export const examples: Readonly<
  Record<OperationName, { readonly request: object | null; readonly answer: object | null }>
> = {
  describe: {
    request: null,
    answer: {
      protocol: protocolVersion,
      name: 'Example courier',
      capabilities: {
        find: true,
        cancel: true,
        tracking: true,
        label: true,
        quote: false,
        invoices: true,
        cash_on_delivery: true,
        declared_value: false,
        recipient_phone: true,
      },
      credential_fields: [
        { name: 'username', label: 'User name', secret: false, required: true },
        { name: 'password', label: 'Password', secret: true, required: true },
      ],
    },
  },
  agencies: {
    request: null,
    answer: {
      success: true,
      agencies: [
        {
          code: 'A001',
          name: 'Agencia Lima Norte',
          address: 'Avenida Alameda Serena 118',
          department: 'Lima',
          province: 'Lima',
          district: 'Lima',
          capabilities: ['drop_off', 'pickup'],
        },
      ],
    },
  },
  packageProducts: {
    request: null,
    answer: {
      success: true,
      package_products: [
        {
          code: 'box_xs',
          name: 'Box XS',
          max_weight_kg: 5,
          max_length_m: 0.3,
          max_width_m: 0.2,
          max_height_m: 0.15,
        },
      ],
    },
  },
  verifyCredentials: {
    request: { credentials: exampleCredentials },
    answer: { success: true },
  },
  quote: {
    request: {
      credentials: exampleCredentials,
      workspace_reference: 'ws_0000000000000000000001',
      ...exampleRoute,
      service: null,
    },
    answer: {
      success: true,
      rates: [
        {
          service: { mode: 'terrestrial', payer: 'sender' },
          price: exampleGuide.price,
          breakdown: [{ code: 'freight', amount: 1860 }],
          transit_days: { min: 1, max: 4 },
        },
      ],
      errors: [
        { service: { mode: 'air', payer: 'sender' }, reason: 'no_capacity', text: 'No capacity.' },
      ],
    },
  },
  createGuide: {
    request: {
      ...exampleCall,
      not_after: '2030-01-01T12:00:20.000Z',
      ...exampleRoute,
      service: { mode: 'terrestrial', payer: 'sender' },
      declared_content: 'Books',
      recipient: {
        document_type: 'DNI',
        document: '00000000',
        first_name: 'Ana',
        last_name: 'Ejemplo',
      },
      quoted_amount: null,
    },
    answer: { success: true, guide: exampleGuide },
  },
  findGuides: {
    request: { ...exampleCall, include_cancelled: true },
    answer: { success: true, guides: [{ ...exampleGuide, status: 'cancelled' }] },
  },
  cancelGuide: {
    request: { ...exampleGuideCall, not_after: '2030-01-01T12:00:20.000Z' },
    answer: { success: true },
  },
  track: {
    request: exampleGuideCall,
    answer: {
      success: true,
      eta: '2030-01-02T09:00:00.000Z',
      events: [
        {
          id: 'e1',
          code: 'received_at_origin',
          occurred_at: '2030-01-01T14:00:00.000Z',
          agency_code: 'A001',
          text: 'Recibido en agencia de origen',
          action_required: false,
        },
      ],
    },
  },
  label: { request: { ...exampleGuideCall, size: 'a6' }, answer: null },
  invoice: {
    request: { credentials: exampleCredentials, month: '2030-01' },
    answer: {
      success: true,
      reference: 'F001-000123',
      lines: [
        {
          guide_number: exampleGuide.guide_number,
          amount: 1860,
          currency: 'PEN',
          weight_kg: 1.5,
          date: '2030-01-01',
          client_reference: exampleCall.client_reference,
        },
      ],
    },
  },
}
