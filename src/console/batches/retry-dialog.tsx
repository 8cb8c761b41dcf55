import { Button } from '@mantine/core'
import IconDownload from '@tabler/icons-react/icons/IconDownload'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { Client } from '../../client/create-client.ts'
import type { Schemas } from '../../client/methods.ts'
import { DialogActions, DialogWindow } from '../parts/dialog.tsx'
import { saveFile } from '../parts/save-file.ts'
import { Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { useSession } from '../session.tsx'
import { newBatchDraft } from './batch-draft.ts'
import { failedCsv } from './file/batch-csv.ts'
import { failedCount, failedStates } from './line-states.ts'
import { useReferences } from './sent-references.ts'

type Batch = Schemas['Batch']
type Item = Schemas['BatchItem']

/** The API's largest page. */
const pageLines = 100

type DialogProps = { readonly batch: Batch; readonly onClose: () => void }

/** Explains how failed lines are sent again, and saves what is wrong with them. */
export function RetryDialog({ batch, onClose }: DialogProps) {
  const { client, drafts } = useSession()
  const [, goTo] = useLocation()
  const referenceOf = useReferences(batch.id)
  const save = useMutation({
    mutationFn: () => failedItems(client, batch),
    onSuccess: (items) => {
      saveFile(`failed-lines-${batch.id}.csv`, 'text/csv', failedCsv(items, referenceOf))
    },
    gcTime: 0,
  })
  const failed = failedCount(batch)
  const again = new URLSearchParams({
    reference: batch.external_reference,
    workspace_id: batch.workspace_id,
  })
  const sendAgain = () => {
    // An earlier draft has another reference, and perhaps the file before it was corrected.
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
        <li>
          Save the list of what is wrong. It has the number of each line in your file, and the
          reason.
        </li>
        <li>Correct these lines in your file. The other lines can stay in it.</li>
        <li>
          Send the file again under the same reference, <bdi>{batch.external_reference}</bdi>.
          Orders that have a guide, or may have one, find it; only those that certainly have none
          are tried again.
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
