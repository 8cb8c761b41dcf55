import { i18n } from '@lingui/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from 'wouter'
import { useDraft } from '../forms/use-draft.ts'
import { useOnlyWorkspace } from '../forms/workspace-choice.tsx'
import { useMay } from '../parts/scopes.tsx'
import { useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'
import { useSheetChoices } from '../sheets/sheet-choices.ts'
import type { SheetFile } from '../sheets/sheet-file.ts'
import { useSheetCheck } from '../sheets/use-sheet-check.ts'

/** The name of the draft in the session. */
export const newBatchDraft = 'new-batch'

/** What the user chose and typed. It is kept until the session ends. */
type Draft = {
  readonly file: SheetFile | null
  readonly workspaceId: string | null
  readonly connectionId: string | null
  readonly reference: string | null
  /** Bad lines stay in the batch and create nothing. */
  readonly skipsInvalid: boolean
  /**
   * The last content sent and its key. Sending the same content again reuses the key, so it creates
   * one batch.
   */
  readonly sent: { readonly file: SheetFile; readonly query: string; readonly key: string } | null
}

const empty: Draft = {
  file: null,
  workspaceId: null,
  connectionId: null,
  reference: null,
  skipsInvalid: false,
  sent: null,
}

export type BatchDraft = ReturnType<typeof useBatchDraft>

/** The draft of the new batch, and what the service says about it. */
export function useBatchDraft() {
  const { client } = useSession()
  const asked = new URLSearchParams(useSearch())
  const only = useOnlyWorkspace()
  const [draft, set, forget] = useDraft<Draft>(newBatchDraft, empty)
  const choices = useSheetChoices('batch-choices')
  const workspaceId = draft.workspaceId ?? asked.get('workspace_id') ?? only
  const connectionId = useConnectionId(draft.connectionId, workspaceId)
  const reference =
    draft.reference ?? asked.get('reference') ?? proposedReference(draft.file?.name ?? null)
  const query = {
    ...(reference.trim() === '' ? {} : { external_reference: reference.trim() }),
    workspace_id: workspaceId,
    ...(connectionId === '' ? {} : { courier_connection_id: connectionId }),
    ...choices.query,
    names: choices.namesQuery,
  }
  const check = useSheetCheck({
    file: workspaceId === '' ? null : draft.file,
    query,
    check: (csv, of, options) => client.batches.checkCsv({ ...of, csv }, options),
  })
  return {
    draft,
    change: (changed: Partial<Draft>) => set({ ...draft, ...changed }),
    forget,
    workspaceId,
    connectionId,
    reference,
    choices,
    query,
    check,
    lacksConnection:
      connectionId === '' &&
      check.answer?.columns.some(({ field }) => field === 'courier_connection_id') !== true,
  }
}

/** The file's name and today's date. */
function proposedReference(fileName: string | null): string {
  // The Swedish date format is that of ISO 8601.
  const today = new Intl.DateTimeFormat('sv-SE').format(new Date())
  return fileName === null
    ? i18n.t('pasted {day}', { day: today })
    : `${fileName.replace(/\.[a-z]+$/i, '')} ${today}`
}

/** A drop-down list of hundreds is not usable; with more than these, the user types an id. */
const choicesMax = 100

/** The chosen connection, or the only active one of the shop. */
function useConnectionId(chosen: string | null, workspaceId: string): string {
  const { listed } = useConnections(workspaceId)
  const [first, second] = listed.filter(({ status }) => status === 'active')
  return chosen ?? (second === undefined ? (first?.id ?? '') : '')
}

export function useConnections(workspaceId: string) {
  const { client } = useSession()
  const mayRead = useMay('connections:read')
  const query = useQuery({
    queryKey: ['connections', 'choices', workspaceId],
    queryFn: ({ signal }) =>
      client.courierConnections.list({ workspace_id: workspaceId, limit: choicesMax }, { signal }),
    enabled: mayRead && workspaceId !== '',
  })
  const { data, error } = useShown(query, workspaceId)
  return { mayRead, listed: data?.data ?? [], error }
}
