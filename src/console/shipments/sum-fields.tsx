import { i18n } from '@lingui/core'
import { Group, SimpleGrid, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { errorAt } from '../forms/field-errors.ts'
import { fieldTitles } from '../sheets/field-titles.ts'
import { More } from './more.tsx'
import type { ShipmentDraft } from './shipment-draft.ts'
import { type Sum, type SumFaults, sums, type TypedSum } from './sums.ts'

type SumsProps = {
  readonly of: ShipmentDraft
  /** The API's refusal. */
  readonly error: unknown
  readonly faults: SumFaults
}

/** Where these fields show an error of the API. */
export const sumPointers: readonly string[] = sums.map((sum) => `/${sum}`)

/** The sums that few parcels have. A quote includes what the courier charges for them. */
export function SumFields({ of, error, faults }: SumsProps) {
  const fields = sums.map((sum) => ({
    sum,
    amountError: faults.get(`/${sum}/amount`) ?? errorAt(error, `/${sum}`),
    currencyError: faults.get(`/${sum}/currency`) ?? null,
  }))
  return (
    <More
      title={i18n.t('More: declared value, cash on delivery')}
      isFilled={sums.some((sum) => of.sums[sum].amount !== '')}
      isWrong={fields.some((each) => each.amountError !== null || each.currencyError !== null)}
    >
      <SimpleGrid minColWidth="15rem" spacing="sm" mt="xs">
        {fields.map(({ sum, ...errors }) => (
          <SumField
            key={sum}
            sum={sum}
            typed={of.sums[sum]}
            {...errors}
            onChange={(changed) =>
              of.change({
                sums: { ...of.draft.sums, [sum]: { ...of.draft.sums[sum], ...changed } },
              })
            }
          />
        ))}
      </SimpleGrid>
    </More>
  )
}

type SumProps = {
  readonly sum: Sum
  readonly typed: TypedSum
  readonly amountError: ReactNode
  readonly currencyError: ReactNode
  readonly onChange: (changed: Partial<TypedSum>) => void
}

/** An amount in decimals with its currency. */
function SumField({ sum, typed, amountError, currencyError, onChange }: SumProps) {
  return (
    <Group gap="xs" wrap="nowrap" align="start">
      <TextInput
        flex={1}
        label={fieldTitles()[`/${sum}/amount`]}
        inputMode="decimal"
        placeholder="14.50"
        value={typed.amount}
        error={amountError}
        onChange={(event) => onChange({ amount: event.currentTarget.value })}
      />
      <TextInput
        w="5.5rem"
        label={i18n.t('Currency')}
        aria-label={fieldTitles()[`/${sum}/currency`]}
        maxLength={3}
        spellCheck={false}
        value={typed.currency}
        error={currencyError}
        onChange={(event) => onChange({ currency: event.currentTarget.value.toUpperCase() })}
      />
    </Group>
  )
}
