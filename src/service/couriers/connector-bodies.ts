import type { CallContext, Consignment, CreateGuide, GuideCall, QuoteCall } from './courier.ts'
import type { WireCall, WireCreateGuide, WireQuote } from './protocol.ts'

export function contextBody({ credentials, sandbox }: CallContext): WireCall {
  if (sandbox === null) return { credentials }
  return {
    credentials,
    sandbox: {
      scenario: sandbox.scenario,
      attempt: sandbox.attempt,
      attempt_at: sandbox.attemptAt.toISOString(),
      now: sandbox.now.toISOString(),
      ...(sandbox.account === undefined ? {} : { account: sandbox.account }),
    },
  }
}

export function guideBody(call: GuideCall): object {
  return {
    ...contextBody(call),
    client_reference: call.clientReference,
    guide_number: call.guideNumber,
  }
}

function routeBody(call: Consignment): Pick<WireCreateGuide, 'origin' | 'destination' | 'package'> {
  return {
    origin: { agency_code: call.origin.code },
    destination: { agency_code: call.destination.code },
    package: {
      product_code: call.package.productCode,
      quantity: call.package.quantity,
      weight_kg: call.package.weightKg,
      height_m: call.package.heightM,
      length_m: call.package.lengthM,
      width_m: call.package.widthM,
    },
  }
}

/** Requires optional fields too, so that a field that is not sent does not compile. */
type EveryField<T> = { readonly [Field in keyof Required<T>]: T[Field] | undefined }
type CreateBody = WireCall &
  EveryField<Omit<WireCreateGuide, keyof WireCall | 'recipient'>> & {
    readonly recipient: EveryField<WireCreateGuide['recipient']>
  }

export function createBody(call: CreateGuide): CreateBody {
  return { ...contextBody(call), ...createGuideBody(call) }
}

/** The body without credentials and sandbox fields. */
export function createGuideBody(
  call: Omit<CreateGuide, keyof CallContext>,
): Omit<CreateBody, keyof WireCall> {
  const { service, recipient, declared_content, declared_value, cash_on_delivery } = call.payload
  return {
    client_reference: call.clientReference,
    not_after: call.notAfter.at.toISOString(),
    ...routeBody(call),
    service: { mode: service.mode, payer: service.payer },
    declared_content,
    recipient: {
      document_type: recipient.document_type,
      document: recipient.document,
      first_name: recipient.first_name,
      last_name: recipient.last_name,
      phone: recipient.phone,
      email: recipient.email,
    },
    quoted_amount: call.quotedAmount,
    declared_value: declared_value ?? undefined,
    cash_on_delivery: cash_on_delivery ?? undefined,
  }
}

export function quoteBody(call: QuoteCall): WireCall & EveryField<Omit<WireQuote, keyof WireCall>> {
  return {
    ...contextBody(call),
    workspace_reference: call.workspaceReference,
    ...routeBody(call),
    service: call.service,
    declared_value: call.sums.declared_value ?? undefined,
    cash_on_delivery: call.sums.cash_on_delivery ?? undefined,
  }
}
