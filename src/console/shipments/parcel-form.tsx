import { i18n } from '@lingui/core'
import { Box, Checkbox, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { AgencyChoice } from '../forms/agency-choice.tsx'
import { errorAt, isShownAt } from '../forms/field-errors.ts'
import { useCheckedForm } from '../forms/use-checked-form.ts'
import { WorkspaceChoice } from '../forms/workspace-choice.tsx'
import { missing } from '../parts/scopes.tsx'
import { Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { useSession } from '../session.tsx'
import {
  type Connection,
  comparedMax,
  type Measure,
  measures,
  type ShipmentDraft,
} from './shipment-draft.ts'
import { SumFields, sumPointers } from './sum-fields.tsx'
import type { SumFaults } from './sums.ts'

type ParcelProps = {
  readonly of: ShipmentDraft
  readonly isOff: boolean
  readonly isComparing: boolean
  readonly error: unknown
  readonly onCompare: () => void
}

/** The parcel and its way, and whom to ask what it costs. */
export function ParcelForm({ of, isOff, isComparing, error, onCompare }: ParcelProps) {
  const { form, isStopped, press } = useCheckedForm(error)
  const fields = [
    '/workspace_id',
    ...of.couriers.flatMap((_, place) =>
      ['/origin/agency_ids', '/destination/agency_ids', '/package/product_ids'].map(
        (list) => `${list}/${place}`,
      ),
    ),
    ...measures.map((measure) => `/package/${measure}`),
    ...sumPointers,
  ]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    press(of.faults.size > 0, onCompare)
  }
  return (
    <form ref={form} onSubmit={submit} autoComplete="off">
      <Stack gap="sm">
        <Box component="fieldset" bd={0} p={0} m={0} disabled={isOff}>
          <Stack gap="sm">
            <WorkspaceChoice
              label={i18n.t('Workspace')}
              value={of.workspaceId}
              error={errorAt(error, '/workspace_id')}
              onChange={(id) => of.change({ workspaceId: id, connectionIds: null })}
            />
            <Connections of={of} />
            {of.couriers.map((connection, place) => (
              <AtCourier
                key={connection.provider_code}
                of={of}
                connection={connection}
                place={place}
                error={error}
              />
            ))}
            <SimpleGrid minColWidth="8rem" spacing="sm">
              {measures.map((measure) => (
                <MeasureField
                  key={measure}
                  measure={measure}
                  value={of.draft.measures[measure]}
                  error={errorAt(error, `/package/${measure}`)}
                  onChange={(value) =>
                    of.change({ measures: { ...of.draft.measures, [measure]: value } })
                  }
                />
              ))}
            </SimpleGrid>
            <SumFields of={of} error={error} faults={isStopped ? of.faults : noFaults} />
          </Stack>
        </Box>
        {!isShownAt(error, fields) && <Refused error={error} />}
        <div className="actions">
          <SteadyButton
            type="submit"
            isPrimary={of.quote === null}
            isOff={isOff || of.chosen.length === 0}
          >
            {isComparing ? i18n.t('Asking the couriers…') : i18n.t('Compare rates')}
          </SteadyButton>
        </div>
      </Stack>
    </form>
  )
}

const noFaults: SumFaults = new Map()

/** The connections to ask; as many as one quote may compare. */
function Connections({ of }: Pick<ParcelProps, 'of'>) {
  const { connections, choices, chosen, workspaceId } = of
  if (!connections.mayRead) return <p className="refusal">{missing('connections:read')}</p>
  if (workspaceId === '') return null
  const ids = chosen.map(({ id }) => id)
  const isFull = ids.length >= comparedMax
  return (
    <>
      <Refused error={connections.error} />
      <fieldset>
        <legend>{i18n.t('Connections to ask')}</legend>
        <SimpleGrid minColWidth="15rem" spacing="xs">
          {choices.map(({ id, display_name: name, provider_code: code }) => (
            <Checkbox
              key={id}
              label={`${name} (${code})`}
              checked={ids.includes(id)}
              disabled={isFull && !ids.includes(id)}
              onChange={(event) =>
                of.change({
                  connectionIds: event.currentTarget.checked
                    ? [...ids, id]
                    : ids.filter((each) => each !== id),
                })
              }
            />
          ))}
        </SimpleGrid>
        {choices.length > comparedMax && (
          <p className="reason">
            {i18n.t('At most {count} can be compared at once.', { count: comparedMax })}
          </p>
        )}
        {choices.length === 0 && (
          <p className="reason">{i18n.t('This workspace has no active connection.')}</p>
        )}
      </fieldset>
    </>
  )
}

type CourierProps = Pick<ParcelProps, 'of' | 'error'> & {
  readonly connection: Connection
  /** Its place in the lists of the request. */
  readonly place: number
}

/** The agencies and the kind of parcel at one courier. */
function AtCourier({ of, connection, place, error }: CourierProps) {
  const { draft, change, couriers } = of
  const { id: connectionId, provider_code: code } = connection
  const titleOf = (title: string) => (couriers.length === 1 ? title : `${title} (${code})`)
  return (
    <SimpleGrid minColWidth="15rem" spacing="sm">
      <AgencyChoice
        label={titleOf(i18n.t('Origin agency'))}
        connectionId={connectionId}
        capability="drop_off"
        value={draft.origins[code]}
        error={errorAt(error, `/origin/agency_ids/${place}`)}
        onChange={(agency) => change({ origins: { ...draft.origins, [code]: agency } })}
      />
      <AgencyChoice
        label={titleOf(i18n.t('Destination agency'))}
        connectionId={connectionId}
        capability="pickup"
        value={draft.destinations[code]}
        error={errorAt(error, `/destination/agency_ids/${place}`)}
        onChange={(agency) => change({ destinations: { ...draft.destinations, [code]: agency } })}
      />
      <ProductChoice
        label={titleOf(i18n.t('Kind of parcel'))}
        connectionId={connectionId}
        value={draft.products[code] ?? ''}
        error={errorAt(error, `/package/product_ids/${place}`)}
        onChange={(id) => change({ products: { ...draft.products, [code]: id } })}
      />
    </SimpleGrid>
  )
}

/** The API's largest page; a courier has only a few products. */
const productsMax = 100

type ProductProps = {
  readonly label: string
  readonly connectionId: string
  readonly value: string
  readonly error: ReactNode
  readonly onChange: (id: string) => void
}

function ProductChoice({ label, connectionId, value, error, onChange }: ProductProps) {
  const { client } = useSession()
  const products = useQuery({
    queryKey: ['products', connectionId],
    queryFn: ({ signal }) =>
      client.couriers.listPackageProducts(
        { courier_connection_id: connectionId, limit: productsMax },
        { signal },
      ),
  })
  return (
    <NativeSelect
      label={label}
      required
      withAsterisk={false}
      value={value}
      error={products.error === null ? error : i18n.t('The kinds of parcel cannot be read now.')}
      data={[
        { value: '', label: i18n.t('Choose…') },
        ...(products.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

const measureTitles: Readonly<Record<Measure, () => string>> = {
  quantity: () => i18n.t('Pieces'),
  weight_kg: () => i18n.t('Weight (kg)'),
  height_m: () => i18n.t('Height (m)'),
  length_m: () => i18n.t('Length (m)'),
  width_m: () => i18n.t('Width (m)'),
}

type MeasureProps = {
  readonly measure: Measure
  readonly value: string
  readonly error: ReactNode
  readonly onChange: (value: string) => void
}

function MeasureField({ measure, value, error, onChange }: MeasureProps) {
  const isCount = measure === 'quantity'
  return (
    <TextInput
      type="number"
      inputMode={isCount ? 'numeric' : 'decimal'}
      min={isCount ? 1 : 0}
      step={isCount ? 1 : 'any'}
      label={measureTitles[measure]()}
      required
      withAsterisk={false}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
