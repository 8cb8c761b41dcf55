import { i18n } from '@lingui/core'
import { Tabs } from '@mantine/core'
import { useState } from 'react'
import type { Operation } from '../../client/methods.ts'
import { formatNumber } from '../languages/language.ts'
import { type FilterField, FilterFields } from '../lists/filter-fields.tsx'
import { type PagedList, usePagedList } from '../lists/paged-list.ts'
import { SavedViews } from '../lists/saved-views.tsx'
import { Table } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { useChosen } from '../lists/use-chosen.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import { type ChosenAct, chosenActs } from './chosen-acts.tsx'
import { CsvButton } from './csv-button.tsx'
import { MoneyAtStake } from './money-at-stake.tsx'
import { columnsOfView } from './operation-columns.tsx'
import { useOperationCounts } from './operation-counts.ts'
import {
  type OperationFilters,
  operationAges,
  operationCauses,
  operationFilterNames,
  operationTypes,
  queryOf,
} from './operation-filters.ts'
import {
  countOfView,
  type OperationQuery,
  type OperationView,
  operationViews,
  viewOf,
} from './operation-views.ts'
import { useOperatorChoices } from './work-choices.ts'

/** An action on several operations at once must stay reviewable. */
const chosenMax = 50
const namesInUrl = ['tab', ...operationFilterNames] as const

/** The operators' work list. */
export function Operations() {
  const { filters, setFilter, clear } = useUrlFilters(namesInUrl)
  const { tab, ...others } = filters
  const view = viewOf(tab)
  const query = queryOf(others)
  return (
    <>
      <ScreenHead title={i18n.t('Operations')} acts={<SavedViews screen="operations" />}>
        <p className="reason">
          {i18n.t(
            'Calls whose outcome was not known immediately. A call is never repeated before its outcome is certain.',
          )}
        </p>
      </ScreenHead>
      <ViewTabs
        view={view}
        query={query}
        onChange={(id) => setFilter('tab', id === operationViews[0].id ? '' : id)}
      />
      <FilterFields
        fields={useFilterFields()}
        filters={others}
        setFilter={setFilter}
        clear={clear}
      />
      <WorkList key={JSON.stringify(filters)} view={view} query={query} />
    </>
  )
}

type TabsProps = {
  readonly view: OperationView
  readonly query: OperationQuery
  readonly onChange: (id: string) => void
}

function ViewTabs({ view, query, onChange }: TabsProps) {
  const { key } = useSession()
  // A key without an operator has no operations assigned.
  const isOffered = ({ id }: OperationView) => id !== 'mine' || key.operator_id !== null
  return (
    <Tabs value={view.id} onChange={(id) => id !== null && onChange(id)} className="view-tabs">
      <Tabs.List aria-label={i18n.t('Views')}>
        {operationViews.filter(isOffered).map((each) => (
          <Tabs.Tab
            key={each.id}
            value={each.id}
            rightSection={<ViewCount view={each} query={query} />}
          >
            {each.title()}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}

/** Counts stop at one page. */
const countMax = 100
const countEveryMs = 10_000

/**
 * The number of rows of a view: the service's count if there is one, otherwise counted up to one
 * page.
 */
function ViewCount({ view, query }: Pick<TabsProps, 'view' | 'query'>) {
  const counted = countOfView[view.id as keyof typeof countOfView]
  const isFiltered = Object.keys(query).length > 0
  if (counted !== undefined && !isFiltered) return <ServiceCount of={counted} />
  const isBounded = isFiltered || view.id === 'mine'
  return isBounded ? <CountOfPage view={view} query={query} /> : null
}

function ServiceCount({ of }: { readonly of: (typeof countOfView)[keyof typeof countOfView] }) {
  const { data } = useOperationCounts()
  return data === undefined ? null : <span className="tab-count">{formatNumber(data[of])}</span>
}

function CountOfPage({ view, query }: Pick<TabsProps, 'view' | 'query'>) {
  const { client } = useSession()
  const input = { ...query, ...view.query, limit: countMax }
  const page = usePolled(['operations', 'count', input], client.operations.list, input, {
    everyMs: () => countEveryMs,
  }).data
  if (page === undefined) return null
  return (
    <span className="tab-count">
      {page.has_more ? `${formatNumber(countMax)}+` : page.data.length}
    </span>
  )
}

/** The filters as the operator sees them. One without a field does not compile. */
function useFilterFields(): Readonly<Record<keyof OperationFilters, FilterField>> {
  const assignees = useOperatorChoices(null)
  const any = ['', i18n.t('Any')] as const
  return {
    cause: { label: i18n.t('Cause'), options: operationCauses() },
    type: { label: i18n.t('Type'), options: operationTypes() },
    escalated: {
      label: i18n.t('Escalated'),
      options: [any, ['true', i18n.t('Yes')], ['false', i18n.t('No')]],
    },
    assignee: {
      label: i18n.t('Assignee'),
      options: [
        any,
        ['none', i18n.t('Unassigned')],
        ...assignees.map(({ value, label }) => [value, label] as const),
      ],
    },
    older: { label: i18n.t('Age'), options: operationAges() },
    since: { label: i18n.t('Created since (UTC)'), kind: 'date' },
    courier: { label: i18n.t('Courier') },
    workspace_id: { label: i18n.t('Workspace'), kind: 'workspace' },
    reference: { label: i18n.t('Exact external reference') },
    key: { label: i18n.t('Exact idempotency key') },
  }
}

function WorkList({ view, query }: Pick<TabsProps, 'view' | 'query'>) {
  const list = useOperations(view, query)
  const { chosen, choice } = useChosen(list.rows, chosenMax, referenceOf)
  const [acting, setActing] = useState<Acting | null>(null)
  const columns = columnsOfView(view.id)
  return (
    <>
      <Table
        what="operations"
        list={list}
        columns={[choice, ...columns]}
        href={(row) => `/operations/${row.id}`}
        whenEmpty={
          Object.keys(query).length === 0 ? view.whenEmpty() : i18n.t('No matching operations.')
        }
        summary={view.id === 'review' && <MoneyAtStake query={query} />}
        aside={
          <div className="actions">
            {actNames.map((act, index) => (
              <ActButton
                key={act}
                isReasonHidden={index < actNames.length - 1}
                word={chosenActs[act].wordFor(chosen.length)}
                scope="operations:review"
                refused={
                  chosen.length === 0
                    ? i18n.t('Select operations first, with x or the checkbox.')
                    : null
                }
                onAct={() => setActing({ act, operations: chosen })}
              />
            ))}
            <CsvButton rows={list.rows} />
          </div>
        }
      />
      {acting !== null && <ChosenDialog acting={acting} onClose={() => setActing(null)} />}
    </>
  )
}

function referenceOf({ external_reference: reference }: Operation): string {
  return reference
}

type Acting = { readonly act: ChosenAct; readonly operations: readonly Operation[] }
const actNames = Object.keys(chosenActs) as readonly ChosenAct[]

function ChosenDialog({
  acting,
  onClose,
}: {
  readonly acting: Acting
  readonly onClose: () => void
}) {
  const { Dialog } = chosenActs[acting.act]
  return <Dialog operations={acting.operations} onClose={onClose} />
}

function useOperations(view: OperationView, filters: OperationQuery): PagedList<Operation> {
  const { client } = useSession()
  const { order } = view
  const query = { ...filters, ...view.query }
  return usePagedList({
    queryKey: ['operations', 'list', query],
    order,
    read: (page, options) => client.operations.list({ ...query, ...page, order }, options),
  })
}
