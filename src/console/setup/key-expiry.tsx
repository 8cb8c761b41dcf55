import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'

const dayMs = 86_400_000

/** After a number of days, on a date, or with the creating key. */
const choices = ['30', '90', '365', 'date', 'own'] as const
type Choice = (typeof choices)[number]

/**
 * The expiry of a new key for the API; undefined for that of the creating key. At first a year, if
 * the creating key lasts that long: a key without an end must be chosen. Days count from the opening
 * of the form, so that a retry asks for the same expiry.
 */
export function useKeyExpiry() {
  const { key } = useSession()
  const [openedAt] = useState(() => Date.now())
  const [choice, setChoice] = useState<Choice>(() =>
    key.expires_at === null ||
    key.from_sign_in ||
    Date.parse(key.expires_at) > openedAt + 365 * dayMs
      ? '365'
      : 'own',
  )
  const [date, setDate] = useState('')
  const endOf = () => {
    if (choice === 'own') return undefined
    if (choice === 'date') return `${date}T23:59:59Z`
    return new Date(openedAt + Number(choice) * dayMs).toISOString()
  }
  return { choice, setChoice, date, setDate, expiresAt: endOf() }
}

type ExpiryProps = {
  readonly expiry: ReturnType<typeof useKeyExpiry>
  readonly error: ReactNode
}

export function KeyExpiry({ expiry, error }: ExpiryProps) {
  const { key } = useSession()
  const { choice, setChoice, date, setDate } = expiry
  const words: Readonly<Record<Choice, string>> = {
    own:
      key.expires_at === null
        ? i18n.t('Never')
        : key.from_sign_in
          ? i18n.t('With your session')
          : i18n.t('When your own key does'),
    '30': i18n.t('In 30 days'),
    '90': i18n.t('In 90 days'),
    '365': i18n.t('In a year'),
    date: i18n.t('On a date'),
  }
  const isDate = choice === 'date'
  return (
    <>
      <NativeSelect
        label={i18n.t('Expires')}
        {...(key.expires_at === null || key.from_sign_in
          ? {}
          : {
              description: (
                <Trans
                  id="Your own key expires at {at}. The keys it creates cannot last longer."
                  values={{ at: <Time at={key.expires_at} /> }}
                />
              ),
            })}
        value={choice}
        error={isDate ? null : error}
        data={choices.map((one) => ({ value: one, label: words[one] }))}
        onChange={(event) => setChoice(event.currentTarget.value as Choice)}
      />
      {isDate && (
        <TextInput
          type="date"
          label={i18n.t('Last day (UTC)')}
          required
          withAsterisk={false}
          value={date}
          error={error}
          onChange={(event) => setDate(event.currentTarget.value)}
        />
      )}
    </>
  )
}
