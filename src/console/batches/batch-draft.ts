import { useMemo } from 'react'
import { useSearch } from 'wouter'
import { useDraft } from '../forms/use-draft.ts'
import { useOnlyWorkspace } from '../forms/workspace-choice.tsx'
import { useConnectionId } from './connection-choice.ts'
import { type CheckedLines, checkLines } from './file/check-lines.ts'
import { type CsvFile, readCsv, UnreadableFile } from './file/csv-file.ts'
import { guessedMapping, type Mapping, missingColumns } from './file/line-columns.ts'
import { useNames } from './names/use-names.ts'

/** Under this name the session keeps it. */
export const newBatchDraft = 'new-batch'

/**
 * What people changed of the guess, by the header of the file: a corrected file, and the next day's,
 * need not be mapped again, and their orders have the same references.
 */
type Mappings = Readonly<Record<string, Mapping>>

const noMappings: Mappings = {}

/** What was chosen and typed. It outlives the screen, but not the session. */
type Draft = {
  readonly text: string
  /** Null: the text was pasted. */
  readonly fileName: string | null
  readonly isGuessed: boolean
  readonly workspaceId: string | null
  readonly connectionId: string | null
  readonly reference: string | null
  /** What was sent last. The same again gets the same key, so that it makes one batch. */
  readonly sent: { readonly content: string; readonly key: string } | null
}

const empty: Draft = {
  text: '',
  fileName: null,
  isGuessed: false,
  workspaceId: null,
  connectionId: null,
  reference: null,
  sent: null,
}

type Reading = { readonly file: CsvFile | null; readonly why: string | null }

function readingOf(text: string): Reading {
  if (text.trim() === '') return { file: null, why: null }
  try {
    return { file: readCsv(text), why: null }
  } catch (error) {
    if (error instanceof UnreadableFile) return { file: null, why: error.message }
    throw error
  }
}

export type BatchDraft = ReturnType<typeof useBatchDraft>

/** The draft of the new batch, with what follows from it. */
export function useBatchDraft() {
  const asked = new URLSearchParams(useSearch())
  const only = useOnlyWorkspace()
  const [draft, change, forget] = useDraft<Draft>(newBatchDraft, empty)
  const reading = useMemo(() => readingOf(draft.text), [draft.text])
  const { file } = reading
  const [mappings, keep] = useDraft<Mappings>('batch-mappings', noMappings)
  const header = JSON.stringify(file?.header.cells ?? [])
  const mapping = useMemo(
    () => mappings[header] ?? (file === null ? {} : guessedMapping(file.header)),
    [mappings, header, file],
  )
  const workspaceId = draft.workspaceId ?? asked.get('workspace_id') ?? only
  const connectionId = useConnectionId(draft.connectionId, workspaceId)
  const names = useNames(file, mapping, connectionId)
  const { answers } = names
  const checked = useMemo<CheckedLines | null>(
    () =>
      file === null || missingColumns(mapping).length > 0
        ? null
        : checkLines(file, mapping, { workspaceId, answers }),
    [file, mapping, workspaceId, answers],
  )
  return {
    draft,
    change: (changed: Partial<Draft>) => change({ ...draft, ...changed }),
    forget,
    ...reading,
    mapping,
    map: (changed: Mapping) => keep({ ...mappings, [header]: changed }),
    workspaceId,
    connectionId,
    names,
    /** Null: no line can be checked yet. */
    checked,
    reference: draft.reference ?? asked.get('reference') ?? proposedReference(draft.fileName),
  }
}

/** The file's name and today, as a person would call it. */
function proposedReference(fileName: string | null): string {
  // The form of a date in Sweden is that of ISO 8601.
  const today = new Intl.DateTimeFormat('sv-SE').format(new Date())
  return `${fileName?.replace(/\.[a-z]+$/i, '') ?? 'pasted'} ${today}`
}
