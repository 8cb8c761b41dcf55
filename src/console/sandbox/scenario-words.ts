import { i18n } from '@lingui/core'
import type { Scenario } from '../../client/play-scenario.ts'

export type ScenarioWords = Readonly<Record<'title' | 'summary' | 'ends' | 'billing', () => string>>

type Described = Pick<Scenario, 'name' | 'summary' | 'ends'> & {
  readonly billing: Pick<Scenario['billing'], 'how'>
}

/** The texts of the service, which writes English. */
export function serviceTexts({ name, summary, ends, billing }: Described) {
  return {
    title: name.replaceAll('_', ' '),
    summary: summary.replaceAll('`', ''),
    ends,
    billing: billing.how,
  } satisfies Record<keyof ScenarioWords, string>
}

/** The texts about each scenario, by its name. In English they equal the service's. */
export const scenarioWords: Readonly<Partial<Record<string, ScenarioWords>>> = {
  happy_path: {
    title: () => i18n.t('happy path'),
    summary: () => i18n.t('The guide is created and the parcel is collected.'),
    ends: () => i18n.t('delivered'),
    billing: () => i18n.t('Billed correctly.'),
  },
  slow_success: {
    title: () => i18n.t('slow success'),
    summary: () => i18n.t('The courier takes three seconds to answer.'),
    ends: () => i18n.t('delivered'),
    billing: () => i18n.t('Billed PEN 1.00 too much.'),
  },
  courier_rejected: {
    title: () => i18n.t('courier rejected'),
    summary: () => i18n.t('The courier refuses with HTTP 200 and success: false.'),
    ends: () => i18n.t('rejected'),
    billing: () => i18n.t('Not billed: there is no guide.'),
  },
  credentials_invalid: {
    title: () => i18n.t('credentials invalid'),
    summary: () => i18n.t('The courier refuses the credentials until they are replaced.'),
    ends: () => i18n.t('the connection is parked; after PATCH the same key succeeds'),
    billing: () => i18n.t('Billed correctly, once it is created.'),
  },
  courier_throttled: {
    title: () => i18n.t('courier throttled'),
    summary: () => i18n.t('The courier asks to slow down twice, then creates.'),
    ends: () => i18n.t('created'),
    billing: () => i18n.t('Billed at the right price, but 1 kg too heavy.'),
  },
  courier_unreachable: {
    title: () => i18n.t('courier unreachable'),
    summary: () => i18n.t('Nothing listens at the address of the first attempt.'),
    ends: () => i18n.t('same key again: 201'),
    billing: () => i18n.t('Billed correctly, once it is created.'),
  },
  lost_response_guide_created: {
    title: () => i18n.t('lost response guide created'),
    summary: () => i18n.t('The guide is created and the answer is lost.'),
    ends: () => i18n.t('guide_exists at the first look; same key: 201'),
    billing: () => i18n.t('Billed twice, as if the lost call had been another parcel.'),
  },
  lost_response_nothing_created: {
    title: () => i18n.t('lost response nothing created'),
    summary: () => i18n.t('The connection is cut and nothing was created.'),
    ends: () => i18n.t('nothing_created after settling and three counted looks'),
    billing: () =>
      i18n.t('Billed although nothing was created, under a guide number that was never issued.'),
  },
  lost_response_late_guide: {
    title: () => i18n.t('lost response late guide'),
    summary: () => i18n.t('The guide becomes visible only three minutes later.'),
    ends: () => i18n.t('guide_exists: proof that nothing is concluded early'),
    billing: () => i18n.t('Billed correctly.'),
  },
  lost_response_human_review: {
    title: () => i18n.t('lost response human review'),
    summary: () => i18n.t('The answer is lost and the courier cannot be asked for twenty hours.'),
    ends: () => i18n.t('human_review at T+8 h'),
    billing: () => i18n.t('Billed correctly, while the outcome is still unknown here.'),
  },
  duplicate_guides: {
    title: () => i18n.t('duplicate guides'),
    summary: () => i18n.t('The answer is lost and the courier shows two guides.'),
    ends: () => i18n.t('human_review with both as evidence'),
    billing: () => i18n.t('Both guides are billed.'),
  },
  malformed_success: {
    title: () => i18n.t('malformed success'),
    summary: () => i18n.t('The answer reports success but breaks off in the middle.'),
    ends: () => i18n.t('guide_exists'),
    billing: () => i18n.t('Billed correctly.'),
  },
  label_delayed: {
    title: () => i18n.t('label delayed'),
    summary: () => i18n.t('The label is ready ten minutes after the guide.'),
    ends: () => i18n.t('webhook label.ready'),
    billing: () => i18n.t('Left out, so it is listed as not billed.'),
  },
  quote_partial: {
    title: () => i18n.t('quote partial'),
    summary: () => i18n.t('One service is priced, one fails, and the price rises.'),
    ends: () => i18n.t('created with a fresh quote and a new key'),
    billing: () => i18n.t('Billed correctly, once it is created.'),
  },
  cancel_response_lost: {
    title: () => i18n.t('cancel response lost'),
    summary: () => i18n.t('The cancellation is accepted and its answer is lost.'),
    ends: () => i18n.t('cancelled; cancelled too late: delivered'),
    billing: () => i18n.t('Billed although it was cancelled.'),
  },
  delivery_exception: {
    title: () => i18n.t('delivery exception'),
    summary: () => i18n.t('The parcel is held for a day and then collected.'),
    ends: () => i18n.t('delivered; exception raised and resolved'),
    billing: () => i18n.t('Billed correctly.'),
  },
  not_collected_returned: {
    title: () => i18n.t('not collected returned'),
    summary: () => i18n.t('The recipient never collects the parcel, and it goes back.'),
    ends: () => i18n.t('returned'),
    billing: () => i18n.t('Billed correctly.'),
  },
  lost_parcel: {
    title: () => i18n.t('lost parcel'),
    summary: () => i18n.t('The parcel is declared lost, found and delivered.'),
    ends: () => i18n.t('lost, then reopened and delivered'),
    billing: () => i18n.t('Billed correctly.'),
  },
  noisy_tracking: {
    title: () => i18n.t('noisy tracking'),
    summary: () =>
      i18n.t('Tracking repeats events, reports them out of order and fails for six hours.'),
    ends: () => i18n.t('delivered; no regression; monitoring unreachable → active'),
    billing: () => i18n.t('Billed correctly.'),
  },
}
