import { i18n } from '@lingui/core'
import { Box, Group, Radio, Stack } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'
import { ConnectionName } from '../parts/names.tsx'
import { ServiceText } from '../parts/service-text.tsx'
import { formatMoney } from './money.ts'
import type { Quote, Rate } from './shipment-draft.ts'
import { serviceWords } from './shipment-facts.tsx'
import { lackingWords } from './sums.ts'

type RatesProps = {
  readonly quote: Quote
  /** The place of the chosen rate. */
  readonly chosen: number | null
  /** It was asked for just now, so the focus goes to it. */
  readonly isNew: boolean
  readonly isOff: boolean
  readonly onChoose: (place: number) => void
}

/** What each connection asks, cheapest first, and below it who has no price. */
export function ComparedRates({ quote, chosen, isNew, isOff, onChoose }: RatesProps) {
  const name = useId()
  const rates = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (isNew) rates.current?.querySelector('input')?.focus()
  }, [isNew])
  return (
    <Stack gap="sm" maw="44rem">
      {quote.rates.length === 0 ? (
        <p className="refusal" role="alert">
          {i18n.t('No connection has a price for this parcel.')}
        </p>
      ) : (
        <fieldset ref={rates} disabled={isOff}>
          <legend>{i18n.t('Choose a rate')}</legend>
          <Stack gap="xs">
            {quote.rates.map((rate, place) => (
              <Radio
                key={`${rate.courier_connection_id} ${rate.service.mode} ${rate.service.payer}`}
                name={name}
                label={<RateLine rate={rate} />}
                checked={chosen === place}
                onChange={() => onChoose(place)}
                styles={{ body: { alignItems: 'center' }, labelWrapper: { flex: 1 } }}
              />
            ))}
          </Stack>
        </fieldset>
      )}
      {quote.errors.length > 0 && (
        <Box component="ul" className="reason" m={0} pl="lg" aria-label={i18n.t('Without a price')}>
          {quote.errors.map(({ courier_connection_id: id, service, reason, detail }) => (
            <li key={`${id} ${service?.mode} ${service?.payer}`}>
              <ConnectionName id={id} />
              {service !== null && `, ${serviceWords(service)}`}
              {': '}
              {whyNoPrice[reason]?.(detail) ?? <ServiceText>{detail}</ServiceText>}
            </li>
          ))}
        </Box>
      )}
    </Stack>
  )
}

function RateLine({ rate }: { readonly rate: Rate }) {
  const { amount, currency, transit_days: days, service } = rate
  return (
    <Group component="span" gap="3xs" style={{ columnGap: '1rem' }} justify="space-between">
      <span>
        <ConnectionName id={rate.courier_connection_id} /> · {serviceWords(service)}
      </span>
      <span>
        <strong>{formatMoney({ amount, currency })}</strong> · {daysWords(days)}
      </span>
    </Group>
  )
}

function daysWords({ min, max }: Rate['transit_days']): string {
  return min === max
    ? i18n.t('{max, plural, one {# day} other {# days}}', { max })
    : i18n.t('{min} to {max, plural, one {# day} other {# days}}', { min, max })
}

/** Of other reasons, the service's own words. */
const whyNoPrice: Readonly<Record<string, (detail: string) => string>> = {
  no_capacity: () => i18n.t('The service currently has no capacity on this route.'),
  not_served: () => i18n.t('The service does not serve this route.'),
  unavailable: () => i18n.t('The courier currently has no price for this service.'),
  courier_rejected: () => i18n.t('The courier has no price for such a parcel on this route.'),
  courier_timed_out: () => i18n.t('The courier did not answer in time.'),
  courier_unreachable: () => i18n.t('The courier could not be reached.'),
  courier_throttled: () => i18n.t('The courier asks to slow down.'),
  courier_failed: () =>
    i18n.t('The courier answered with an error, or its answer could not be read.'),
  courier_not_available: () => i18n.t('This courier is not available to the key.'),
  not_supported_by_courier: (detail) =>
    lackingWords(detail) || i18n.t('The courier does not offer what was asked.'),
  quotes_not_supported: () => i18n.t('The courier gives no prices.'),
  connection_needs_reauth: () =>
    i18n.t('The courier refuses the account’s credentials. Replace them.'),
  connection_disabled: () => i18n.t('The courier’s account is disabled here.'),
}
