import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { Button, Flex } from '@mantine/core'
import IconDownload from '@tabler/icons-react/icons/IconDownload'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { Client } from '../../client/create-client.ts'
import type { Schemas } from '../../client/methods.ts'
import { csvOf } from '../lists/csv.ts'
import { DialogActions, DialogWindow } from '../parts/dialog.tsx'
import { saveFile } from '../parts/save-file.ts'
import { Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { useSession } from '../session.tsx'
import { errorText } from '../sheets/error-words.tsx'
import { labelAt } from '../sheets/sheet-fields.ts'
import { newBatchDraft } from './batch-draft.ts'
import { causes } from './causes.ts'
import { failedCount, failedStates } from './line-states.ts'
import { causeText, lineStateWord } from './line-words.tsx'

type Batch = Schemas['Batch']
type Item = Schemas['BatchItem']

/** The API's largest page. */
const pageLines = 100

type DialogProps = { readonly batch: Batch; readonly onClose: () => void }

/** Explains how to send failed lines again, and saves a list of their errors. */
export function RetryDialog({ batch, onClose }: DialogProps) {
  const { client, drafts } = useSession()
  const [, goTo] = useLocation()
  const save = useMutation({
    mutationFn: () => failedItems(client, batch),
    onSuccess: (items) => {
      saveFile(`${i18n.t('failed-lines')}-${batch.id}.csv`, 'text/csv', failedCsv(items))
    },
    gcTime: 0,
  })
  const failed = failedCount(batch)
  const again = new URLSearchParams({
    reference: batch.external_reference,
    workspace_id: batch.workspace_id,
  })
  const sendAgain = () => {
    // An earlier draft has another reference and perhaps the uncorrected file.
    drafts.delete(newBatchDraft)
    goTo(`/batches/new?${again}`)
  }
  return (
    <DialogWindow
      title={i18n.t(
        '{count, plural, one {Retry the line that failed} other {Retry the # lines that failed}}',
        { count: failed },
      )}
      open
      isQuestion
      onOpenChange={(open) => open || onClose()}
    >
      <Flex component="ol" direction="column" gap="xs" m={0} pl="lg">
        <li>
          {i18n.t('Save the list of errors. It has the line number in your file and the reason.')}
        </li>
        <li>{i18n.t('Correct these lines in your file. The other lines can stay in it.')}</li>
        <li>
          <Trans
            id="Send the file again under the same reference, {reference}. Only orders that certainly have no guide are tried again."
            values={{ reference: <bdi>{batch.external_reference}</bdi> }}
          />
        </li>
      </Flex>
      <Refused error={save.error} />
      <DialogActions>
        <SteadyButton
          isOff={save.isPending}
          icon={<IconDownload size={14} />}
          onPress={() => save.mutate()}
        >
          {save.isPending ? i18n.t('Reading the lines…') : i18n.t('Save the list as CSV')}
        </SteadyButton>
        <Button onClick={sendAgain}>{i18n.t('Send the file again')}</Button>
      </DialogActions>
    </DialogWindow>
  )
}

async function failedItems(client: Client, { id }: Batch): Promise<readonly Item[]> {
  const items: Item[] = []
  for (const state of failedStates) {
    const listed = client.batches.listItems({ id, state, limit: pageLines })
    for await (const item of listed) items.push(item)
  }
  return items.toSorted((a, b) => a.line - b.line)
}

/** One row per error, for correcting the file. */
function failedCsv(items: readonly Item[]): string {
  const rows = items.flatMap(({ line, external_reference: order, state, error }) => {
    const reason = error?.reason ?? ''
    const known = [String(line), order ?? '', lineStateWord(state, 1), causes()[reason] ?? reason]
    const fields = error?.errors ?? []
    if (fields.length === 0) return [[...known, '', error === null ? '' : causeText(error)]]
    return fields.map((each) => [...known, labelAt(each.pointer), errorText(each)])
  })
  const names = [
    ...[i18n.t({ id: 'line (of a file)', message: 'line' }), i18n.t('reference'), i18n.t('state')],
    ...[i18n.t('reason'), i18n.t('field'), i18n.t('error')],
  ]
  return `\ufeff${csvOf(names, rows)}`
}
