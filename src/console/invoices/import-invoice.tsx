import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import '../styles/invoices.css'
import { Box, Checkbox, Flex, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Link } from 'wouter'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { errorAt } from '../forms/field-errors.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { ListLink } from '../lists/list-link.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { Panel } from '../parts/panel.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { useSession } from '../session.tsx'
import { CheckProgress } from '../sheets/check-progress.tsx'
import { ChooseSheet } from '../sheets/choose-sheet.tsx'
import { invoiceFields } from '../sheets/generated-fields.ts'
import { SheetColumns } from '../sheets/sheet-columns.tsx'
import { SheetErrors } from '../sheets/sheet-errors.tsx'
import { templateOf } from '../sheets/sheet-fields.ts'
import { SheetSample } from '../sheets/sheet-sample.tsx'
import { headerErrors } from '../sheets/use-sheet-check.ts'
import { formatMoney } from '../shipments/money.ts'
import { ConnectionChoice } from './connection-choice.tsx'
import { FetchInvoice } from './fetch-invoice.tsx'
import {
  daysOf,
  type ImportDraft,
  type Period,
  useImportDraft,
  useImported,
} from './import-draft.ts'
import { isCash, isWithdrawn, periodOf } from './invoice-findings.ts'
import { SetAside } from './set-aside.tsx'

/** The API's own limits. */
const referenceMax = 255
const megabytesMax = 16

/** Imports a courier's invoice from a file. */
export function ImportInvoice() {
  const of = useImportDraft()
  const { draft, connectionId } = of
  const sending = useImporting(of)
  const { error } = sending
  const change: typeof of.change = (part) => {
    sending.forgetRefusal()
    of.change(part)
  }
  const why = missingOf(of)
  return (
    <>
      <ScreenHead
        back={<ListLink to="/courier-invoices">{i18n.t('Courier invoices')}</ListLink>}
        title={i18n.t('Import an invoice')}
      />
      <Stack gap="sm" className="new-file">
        <Panel title={i18n.t('1. The invoice')}>
          <SimpleGrid minColWidth="15rem" spacing="sm">
            <ConnectionChoice
              value={connectionId}
              error={errorAt(error, '#/query/courier_connection_id')}
              onChange={(id) => change({ connectionId: id })}
            />
            <TextInput
              label={i18n.t('Reference')}
              description={i18n.t('The courier’s number. Stored unencrypted.')}
              maxLength={referenceMax}
              autoComplete="off"
              value={draft.reference}
              error={errorAt(error, '#/query/reference')}
              onChange={(event) => change({ reference: event.currentTarget.value })}
            />
          </SimpleGrid>
          <EarlierInvoice connectionId={connectionId} reference={draft.reference.trim()} />
          <ImportPeriod
            period={draft.period}
            error={errorAt(error, '#/query/period_from') ?? errorAt(error, '#/query/period_to')}
            onChange={(period) => change({ period })}
          />
          <FetchInvoice key={`${connectionId} ${draft.period.month}`} of={of} />
        </Panel>
        <Panel title={i18n.t('2. The courier’s list')}>
          <p>
            {i18n.t(
              'A CSV whose first line names the columns. Amounts are decimals, such as 14.50, unless their column is in minor units. Rows with totals and taxes are set aside; delete credits.',
            )}
          </p>
          <ChooseSheet
            file={draft.file}
            megabytesMax={megabytesMax}
            template={{ name: 'invoice-template.csv', text: templateOf(invoiceFields) }}
            onChange={(file) => change({ file, skipsInvalid: false })}
          />
        </Panel>
        {draft.file !== null && (
          <Panel title={i18n.t('3. Check')}>
            <CheckProgress
              check={of.check}
              needs={connectionId === '' ? i18n.t('Choose the courier connection first.') : null}
            />
            <CheckedInvoice of={of} />
            <SkipInvalid of={of} />
          </Panel>
        )}
        <Panel
          title={
            draft.file === null ? i18n.t('3. Import and compare') : i18n.t('4. Import and compare')
          }
        >
          <Refused error={isOfFields(error) ? null : error} />
          <div className="actions">
            <SteadyButton
              isPrimary
              isOff={sending.isPending || why !== null}
              aria-describedby="why-not-imported"
              onPress={sending.submit}
            >
              {sending.isPending ? i18n.t('Importing…') : i18n.t('Import and compare')}
            </SteadyButton>
            <span className="reason" id="why-not-imported">
              {why ?? i18n.t('Nothing is booked or paid.')}
            </span>
          </div>
        </Panel>
      </Stack>
    </>
  )
}

function missingOf({ draft, connectionId, check }: ImportDraft): string | null {
  if (connectionId === '') return i18n.t('Choose the courier connection first.')
  if (draft.reference.trim() === '') return i18n.t('Enter the reference first.')
  if (daysOf(draft.period) === null) return i18n.t('Complete the period first.')
  if (draft.file === null) return i18n.t('Choose the file first.')
  if (check.error !== null) return i18n.t('Choose a file that can be read.')
  const { answer } = check
  if (answer === undefined || !check.isSettled) return i18n.t('Wait until the file is checked.')
  if (headerErrors(answer).length > 0) return i18n.t('Complete the columns first.')
  if (answer.good === answer.lines) return null
  if (answer.good === 0) return i18n.t('No line is good. Correct the file and choose it again.')
  // A part of an invoice would look like the whole.
  return draft.skipsInvalid
    ? null
    : i18n.t('Correct the file and choose it again, or leave out the bad lines.')
}

/** Offers to import the good lines alone. */
function SkipInvalid({ of: { check, draft, change } }: { readonly of: ImportDraft }) {
  const { good = 0, lines = 0 } = check.answer ?? {}
  if (good === 0 || good === lines) return null
  return (
    <Checkbox
      label={i18n.t(
        '{count, plural, one {Import without the bad line. It is kept with the invoice, but not compared.} other {Import without the # bad lines. They are kept with the invoice, but not compared.}}',
        { count: lines - good },
      )}
      checked={draft.skipsInvalid}
      onChange={(event) => change({ skipsInvalid: event.currentTarget.checked })}
    />
  )
}

/** What was understood of the file, and what is wrong, before it is imported. */
function CheckedInvoice({ of: { check, sheet, draft, change } }: { readonly of: ImportDraft }) {
  const { answer } = check
  if (answer === undefined) return null
  const { good, lines, totals } = answer
  const wrong = lines - good
  const sums = totals.amounts.map((sum) =>
    i18n.t('{count, plural, one {{money} on # line} other {{money} on # lines}}', {
      count: sum.lines,
      money: isCash(sum)
        ? i18n.t('{money} cash on delivery', { money: formatMoney(sum) })
        : formatMoney(sum),
    }),
  )
  return (
    <>
      <SheetColumns check={answer} fields={invoiceFields} choices={sheet} hasMetadata={false} />
      <SheetSample
        check={answer}
        fields={invoiceFields}
        sameForAll={Object.keys(sheet.query.values)}
      />
      {headerErrors(answer).length === 0 && (
        <p className={wrong === 0 ? 'verified' : 'refusal'} role="status">
          {wrong === 0
            ? i18n.t(
                '{count, plural, one {No errors found in # line.} other {No errors found in # lines.}}',
                { count: lines },
              )
            : i18n.t(
                '{count, plural, one {One line has errors. An invoice is imported as a whole.} other {# lines have errors. An invoice is imported as a whole.}}',
                { count: wrong },
              )}{' '}
          {sums.length > 0 && i18n.t('Good: {sums}.', { sums: sums.join(', ') })}
        </p>
      )}
      <SetAside check={answer} />
      <SheetErrors
        check={answer}
        by="Guide"
        file={draft.file}
        onMended={(file) => change({ file })}
      />
    </>
  )
}

function useImporting(of: ImportDraft) {
  const { client } = useSession()
  const imported = useImported()
  const { draft, change, forget, connectionId, sheet, check } = of
  return useSendOnce({
    send: () => {
      const { file, sent } = draft
      if (file === null) throw new Error('bug: there is no file')
      const period = daysOf(draft.period) ?? undefined
      const reference = draft.reference.trim()
      const { good = 0, lines = 0 } = check.answer ?? {}
      const query = { ...sheet.query, ...(good < lines ? { skip_invalid: true } : {}) }
      const choices = JSON.stringify(query)
      const what = [connectionId, reference, period?.from, period?.to, file, choices]
      const isSame = sent?.what.every((each, index) => each === what[index]) === true
      const idempotencyKey = isSame ? sent.key : `console-${crypto.randomUUID()}`
      change({ sent: { what, key: idempotencyKey } })
      return client.courierInvoices.createFromCsv(
        {
          courier_connection_id: connectionId,
          reference,
          ...(period === undefined ? {} : { period }),
          ...query,
          csv: file.content,
        },
        { idempotencyKey },
      )
    },
    onSent: async (invoice) => {
      forget()
      await imported(invoice)
    },
  })
}

/** Debounces typing: each keystroke would be a request. */
const pauseMs = 300

type EarlierProps = { readonly connectionId: string; readonly reference: string }

/** Explains what happens to a file whose reference was imported before. */
function EarlierInvoice({ connectionId, reference }: EarlierProps) {
  const { client } = useSession()
  const [settled] = useDebouncedValue(reference, pauseMs)
  const { data } = useQuery({
    queryKey: ['invoices', 'earlier', connectionId, settled],
    queryFn: ({ signal }) =>
      client.courierInvoices.list(
        { courier_connection_id: connectionId, reference: settled, limit: 1 },
        { signal },
      ),
    enabled: connectionId.startsWith('ccn_') && settled !== '',
    gcTime: 0,
  })
  const [earlier] = data?.data ?? []
  if (earlier === undefined || earlier.reference !== reference) return null
  const { id, version, total: count } = earlier
  const lines = i18n.t('{count, plural, one {# line} other {# lines}}', { count })
  const values = {
    invoice: <Link href={hrefOf(id)}>{reference}</Link>,
    about: earlier.period === null ? lines : `${lines}, ${periodOf(earlier)}`,
    version: version + 1,
  }
  return (
    <Box component="p" m={0} px="md" py="xs" className="warned" role="status">
      {isWithdrawn(earlier) ? (
        <Trans
          id="{invoice} was imported before ({about}) and is withdrawn. Importing it again, even with the same file, creates version {version}, which keeps the decisions on unchanged lines."
          values={values}
        />
      ) : (
        <Trans
          id="{invoice} was imported before ({about}). Sending the same file and period changes nothing. Any other content creates version {version}, which keeps the decisions on unchanged lines."
          values={values}
        />
      )}
    </Box>
  )
}

type PeriodProps = {
  readonly period: Period
  readonly error: ReactNode
  readonly onChange: (period: Period) => void
}

const kinds = () =>
  [
    ['month', i18n.t('A month')],
    ['days', i18n.t('Other days')],
    ['none', i18n.t('No period')],
  ] as const

/** The days the invoice covers. Guides from these days that it does not bill are listed. */
function ImportPeriod({ period, error, onChange }: PeriodProps) {
  const id = useId()
  const change = (part: Partial<Period>) => onChange({ ...period, ...part })
  const day = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="date"
      label={label}
      value={period[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <fieldset>
      <legend>{i18n.t('Period')}</legend>
      <Flex wrap="wrap" rowGap="xs" columnGap="lg">
        {kinds().map(([kind, word]) => (
          <Radio
            key={kind}
            name={id}
            label={word}
            checked={period.kind === kind}
            onChange={() => change({ kind })}
          />
        ))}
      </Flex>
      <SimpleGrid minColWidth="15rem" spacing="sm">
        {period.kind === 'month' && (
          <TextInput
            type="month"
            label={i18n.t('Month')}
            placeholder="2026-02"
            value={period.month}
            onChange={(event) => change({ month: event.currentTarget.value.trim() })}
          />
        )}
        {period.kind === 'days' && (
          <>
            {day('from', i18n.t('First day'))}
            {day('to', i18n.t('Last day'))}
          </>
        )}
      </SimpleGrid>
      <p className="reason">
        {period.kind === 'none'
          ? i18n.t('All guides before the import that were not billed are listed.')
          : i18n.t('Days are in UTC. Guides from these days that no invoice bills are listed.')}
      </p>
      {error !== null && (
        <p className="refusal" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** Whether the fields above already show the error. */
function isOfFields(error: unknown): boolean {
  return (
    error instanceof ShippingLedgerError &&
    error.errors.length > 0 &&
    error.errors.every(({ pointer }) => pointer.startsWith('#/query/'))
  )
}
