import { Button } from '@mantine/core'
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
import { batchFields } from '../sheets/generated-fields.ts'
import { labelAt } from '../sheets/sheet-fields.ts'
import { errorSentence } from '../sheets/use-sheet-check.ts'
import { newBatchDraft } from './batch-draft.ts'
import { failedCount, failedStates } from './line-states.ts'

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
      saveFile(`failed-lines-${batch.id}.csv`, 'text/csv', failedCsv(items))
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
      title={failed === 1 ? 'Retry the line that failed' : `Retry the ${failed} lines that failed`}
      open
      isQuestion
      onOpenChange={(open) => open || onClose()}
    >
      <ol className="retry-steps">
        <li>Save the list of errors. It has the line number in your file and the reason.</li>
        <li>Correct these lines in your file. The other lines can stay in it.</li>
        <li>
          Send the file again under the same reference, <bdi>{batch.external_reference}</bdi>. Only
          orders that certainly have no guide are tried again.
        </li>
      </ol>
      <Refused error={save.error} />
      <DialogActions>
        <SteadyButton
          isOff={save.isPending}
          icon={<IconDownload size={14} />}
          onPress={() => save.mutate()}
        >
          {save.isPending ? 'Reading the lines…' : 'Save the list as CSV'}
        </SteadyButton>
        <Button onClick={sendAgain}>Send the file again</Button>
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
    const known = [String(line), order ?? '', state, error?.reason ?? '']
    const fields = error?.errors ?? []
    if (fields.length === 0) return [[...known, '', error?.detail ?? '']]
    return fields.map((each) => [...known, labelAt(batchFields, each.pointer), errorSentence(each)])
  })
  return `\ufeff${csvOf(['line', 'reference', 'state', 'reason', 'field', 'error'], rows)}`
}
