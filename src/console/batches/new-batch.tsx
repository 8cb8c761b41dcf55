import { ListLink } from '../lists/list-link.tsx'
import { Panel } from '../parts/panel.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { useBatchDraft } from './batch-draft.ts'
import { BatchPlace } from './batch-place.tsx'
import { CheckedFile } from './checked-file.tsx'
import { ChooseFile } from './choose-file.tsx'
import { MapColumns } from './map-columns.tsx'
import { NameChoices } from './names/name-choices.tsx'
import { SendLines } from './send-lines.tsx'

/** Makes a batch of a spreadsheet's lines. What is wrong is shown before anything is created. */
export function NewBatch() {
  const of = useBatchDraft()
  const { file, checked } = of
  return (
    <>
      <ScreenHead back={<ListLink to="/batches">Batches</ListLink>} title="New batch" />
      <div className="new-batch">
        <Panel title="1. The file">
          <ChooseFile of={of} />
        </Panel>
        <Panel title="2. Workspace and courier">
          <BatchPlace of={of} />
        </Panel>
        {file !== null && (
          <Panel title="3. Columns">
            <MapColumns of={of} file={file} />
          </Panel>
        )}
        {checked !== null && (
          <Panel title="4. Check">
            <NameChoices names={of.names} />
            {of.names.isSettled && <CheckedFile checked={checked} />}
          </Panel>
        )}
        {file !== null && checked !== null && (
          <Panel title="5. Send">
            <SendLines of={of} file={file} checked={checked} />
          </Panel>
        )}
      </div>
    </>
  )
}
