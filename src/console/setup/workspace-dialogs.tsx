import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { NumberInput, TextInput } from '@mantine/core'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answered, Schemas } from '../../client/methods.ts'
import { errorAt } from '../forms/field-errors.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { ifUnchanged } from '../forms/if-unchanged.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { DialogActions, DialogWindow } from '../parts/dialog.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { useSession } from '../session.tsx'
import { LabelFormatFields } from './label-format-fields.tsx'

type Workspace = Answered<Schemas['Workspace']>

/** The API's own limits. */
const nameMax = 200
const referenceMax = 255

const fields = [
  '/name',
  '/external_reference',
  '/personal_data_retention_days',
  '/label_format',
] as const

/** The retention of its shipments' personal data. */
export function retentionText({
  personal_data_retention_days: days,
}: Pick<Workspace, 'personal_data_retention_days'>): string {
  if (days === null) return i18n.t('kept until you erase it')
  return i18n.t('{days, plural, one {erased after # day} other {erased after # days}}', { days })
}

/** Refreshes all lists and names of workspaces. */
async function readWorkspacesAgain(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['workspaces'] }),
    queries.invalidateQueries({ queryKey: ['names', 'workspaces'] }),
  ])
}

type CreateProps = {
  readonly onClose: () => void
  readonly onCreated: (workspace: Workspace) => void
}

/** Creates a workspace, or shows which one already has the reference. */
export function CreateWorkspaceDialog({ onClose, onCreated }: CreateProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [draft, setDraft] = useState({ name: '', reference: '', days: null as number | null })
  const [existing, setExisting] = useState<Workspace | null>(null)
  const sending = useSendOnce({
    send: (idempotencyKey) =>
      client.workspaces.create(
        {
          name: draft.name,
          external_reference: draft.reference,
          personal_data_retention_days: draft.days,
        },
        { idempotencyKey },
      ),
    onSent: async (workspace) => {
      await readWorkspacesAgain(queries)
      const { status, replayed } = workspace.lastAnswer
      if (status === 200 && !replayed) setExisting(workspace)
      else onCreated(workspace)
    },
  })
  if (existing !== null) {
    return (
      <AlreadyThere workspace={existing} onClose={onClose} onOpen={() => onCreated(existing)} />
    )
  }
  return (
    <FormDialog
      title={i18n.t('Create a workspace')}
      does={i18n.t('Create it')}
      sending={sending}
      fields={fields}
      onClose={onClose}
    >
      <p>{i18n.t('A workspace is one shop: its courier connections, shipments and webhooks.')}</p>
      <NameField
        value={draft.name}
        error={sending.error}
        onChange={(name) => setDraft({ ...draft, name })}
      />
      <TextInput
        label={i18n.t('Reference')}
        description={i18n.t(
          'Your own unique name for the shop, such as its id in your system. It cannot be changed.',
        )}
        required
        withAsterisk={false}
        maxLength={referenceMax}
        spellCheck={false}
        value={draft.reference}
        error={errorAt(sending.error, '/external_reference')}
        onChange={(event) => setDraft({ ...draft, reference: event.currentTarget.value })}
      />
      <RetentionField
        value={draft.days}
        error={sending.error}
        onChange={(days) => setDraft({ ...draft, days })}
      />
    </FormDialog>
  )
}

type ExistingProps = {
  readonly workspace: Workspace
  readonly onClose: () => void
  readonly onOpen: () => void
}

function AlreadyThere({ workspace, onClose, onOpen }: ExistingProps) {
  return (
    <DialogWindow
      title={i18n.t('This reference is taken')}
      open
      onOpenChange={(open) => open || onClose()}
    >
      <p role="status">
        <Trans
          id="The workspace “{name}” already has the reference <code>{reference}</code>. Nothing was created or changed."
          values={{ name: workspace.name, reference: workspace.external_reference }}
          components={{ code: <code /> }}
        />
      </p>
      <DialogActions>
        <SteadyButton isPrimary isOff={false} onPress={onOpen}>
          {i18n.t('Open it')}
        </SteadyButton>
        <SteadyButton isOff={false} onPress={onClose}>
          {i18n.t('Close')}
        </SteadyButton>
      </DialogActions>
    </DialogWindow>
  )
}

type ChangeProps = { readonly workspace: Workspace; readonly onClose: () => void }

/** Changes the version of the workspace that the dialog opened with. */
export function ChangeWorkspaceDialog({ workspace, onClose }: ChangeProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [opened] = useState(workspace)
  const [name, setName] = useState(opened.name)
  const [days, setDays] = useState(opened.personal_data_retention_days)
  const [format, setFormat] = useState(opened.label_format)
  const sending = useSendOnce({
    send: () =>
      client.workspaces.update(
        { id: opened.id, name, personal_data_retention_days: days, label_format: format },
        ifUnchanged(opened),
      ),
    onSent: async (changed) => {
      queries.setQueryData(['workspace', opened.id], changed)
      await readWorkspacesAgain(queries)
      onClose()
    },
  })
  return (
    <FormDialog
      title={i18n.t('Change the workspace')}
      does={i18n.t('Save')}
      sending={sending}
      fields={fields}
      onClose={onClose}
    >
      <NameField value={name} error={sending.error} onChange={setName} />
      <RetentionField value={days} error={sending.error} onChange={setDays} />
      {isShorter(days, opened.personal_data_retention_days) && (
        <p role="status">
          {i18n.t(
            'The shorter period also applies to existing shipments. Erased data cannot be restored.',
          )}
        </p>
      )}
      <LabelFormatFields value={format} error={sending.error} onChange={setFormat} />
    </FormDialog>
  )
}

function isShorter(days: number | null, before: number | null): boolean {
  return days !== null && (before === null || days < before)
}

type FieldProps<T> = {
  readonly value: T
  readonly error: unknown
  readonly onChange: (value: T) => void
}

function NameField({ value, error, onChange }: FieldProps<string>) {
  return (
    <TextInput
      label={i18n.t('Name')}
      required
      withAsterisk={false}
      maxLength={nameMax}
      value={value}
      error={errorAt(error, '/name')}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function RetentionField({ value, error, onChange }: FieldProps<number | null>) {
  return (
    <NumberInput
      label={i18n.t('Erase personal data after (days)')}
      description={i18n.t(
        'Counted from the creation of each shipment. Empty: kept until you erase it.',
      )}
      allowDecimal={false}
      allowNegative={false}
      // Do not correct the input: the API's error says what it accepts.
      clampBehavior="none"
      hideControls
      value={value ?? ''}
      error={errorAt(error, '/personal_data_retention_days')}
      onChange={(typed) => onChange(typed === '' ? null : Number(typed))}
    />
  )
}
