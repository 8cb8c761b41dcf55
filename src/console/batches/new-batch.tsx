import { i18n } from '@lingui/core'
import { Stack } from '@mantine/core'
import { formatNumber } from '../languages/language.ts'
import { ListLink } from '../lists/list-link.tsx'
import { Panel } from '../parts/panel.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { CheckProgress } from '../sheets/check-progress.tsx'
import { ChooseSheet } from '../sheets/choose-sheet.tsx'
import { batchFields } from '../sheets/generated-fields.ts'
import { SheetColumns } from '../sheets/sheet-columns.tsx'
import { SheetErrors } from '../sheets/sheet-errors.tsx'
import { templateOf } from '../sheets/sheet-fields.ts'
import { SheetSample } from '../sheets/sheet-sample.tsx'
import { headerErrors } from '../sheets/use-sheet-check.ts'
import { type BatchDraft, useBatchDraft } from './batch-draft.ts'
import { BatchPlace } from './batch-place.tsx'
import { NameChoices } from './name-choices.tsx'
import { SendLines } from './send-lines.tsx'

/** The API's own limit. */
const megabytesMax = 8

/** Creates a batch from a spreadsheet's lines. Errors are shown before anything is created. */
export function NewBatch() {
  const of = useBatchDraft()
  const { draft, change, check } = of
  return (
    <>
      <ScreenHead
        back={<ListLink to="/batches">{i18n.t('Batches')}</ListLink>}
        title={i18n.t('New batch')}
      />
      <Stack gap="sm" className="new-file">
        <Panel title={i18n.t('1. The file')}>
          <p>
            {i18n.t(
              'The first line names the columns; each other line is one shipment. Choosing a file creates nothing yet.',
            )}
          </p>
          <ChooseSheet
            file={draft.file}
            megabytesMax={megabytesMax}
            template={{ name: i18n.t('batch-template.csv'), text: templateOf(batchFields) }}
            onChange={(file) => change({ file, skipsInvalid: false })}
          />
        </Panel>
        <Panel title={i18n.t('2. Workspace and courier')}>
          <BatchPlace of={of} />
        </Panel>
        {draft.file !== null && (
          <Panel title={i18n.t('3. Check')}>
            <CheckProgress check={check} needs={missingOf(of)} />
            <CheckedFile of={of} />
          </Panel>
        )}
        {check.answer !== undefined && (
          <Panel title={i18n.t('4. Create')}>
            <SendLines of={of} answer={check.answer} />
          </Panel>
        )}
      </Stack>
    </>
  )
}

function missingOf({ workspaceId, lacksConnection }: BatchDraft): string | null {
  if (workspaceId === '') return i18n.t('Choose the workspace first.')
  return lacksConnection ? i18n.t('Choose the courier connection first.') : null
}

type CheckedProps = { readonly of: BatchDraft }

/** What was understood, and what is wrong, before anything is created. */
function CheckedFile({ of }: CheckedProps) {
  const { check, choices, lacksConnection } = of
  const { answer } = check
  if (answer === undefined) return null
  return (
    <>
      <SheetColumns check={answer} fields={batchFields} choices={choices} hasMetadata />
      <SheetSample
        check={answer}
        fields={batchFields}
        sameForAll={Object.keys(choices.query.values)}
      />
      {!lacksConnection && <CheckedLines answer={answer} of={of} />}
    </>
  )
}

type LinesProps = CheckedProps & {
  readonly answer: NonNullable<BatchDraft['check']['answer']>
}

function CheckedLines({ answer, of: { choices, connectionId, draft, change } }: LinesProps) {
  const { good, lines, totals, over_quota: over } = answer
  const wrong = lines - good
  return (
    <>
      <NameChoices check={answer} choices={choices} connectionId={connectionId} />
      {headerErrors(answer).length === 0 && (
        <p className={wrong === 0 ? 'verified' : 'refusal'} role="status">
          {wrong === 0
            ? i18n.t('No errors found in {lines, plural, one {the line} other {the # lines}}.', {
                lines,
              })
            : i18n.t(
                '{wrong, plural, one {One line has} other {# lines have}} errors, and {good, plural, one {one is} other {# are}} good.',
                { wrong, good },
              )}{' '}
          {over > 0 &&
            `${i18n.t(
              '{over, plural, one {# of the good ones exceeds} other {# of the good ones exceed}} what is left of the plan’s shipments this month.',
              { over },
            )} `}
          {good > 0 &&
            i18n.t('Good: {pieces, plural, one {# piece} other {# pieces}}, {weight} kg.', {
              pieces: totals.pieces,
              weight: formatNumber(totals.weight_kg),
            })}
        </p>
      )}
      <SheetErrors
        check={answer}
        by="Order"
        file={draft.file}
        onMended={(file) => change({ file })}
      />
    </>
  )
}
