import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Schemas } from '../../client/methods.ts'
import { useShown } from '../reading/use-recovery.ts'
import type { SheetFile } from './sheet-file.ts'

export type SheetCheck = Schemas['BatchCheck'] | Schemas['CourierInvoiceCheck']
export type SheetError = SheetCheck['errors'][number]

/** Debounces typing: each keystroke would send the whole file. */
const typingPauseMs = 300

/** These are about the header. The service would refuse the whole file. */
const headerReasons: readonly string[] = [
  'unknown_column',
  'repeated_column',
  'unit_missing',
  'missing_column',
]

type Asked<Query, Check> = {
  /** Null as long as something is missing for the check. */
  readonly file: SheetFile | null
  /** What is sent with the file. */
  readonly query: Query
  readonly check: (
    csv: SheetFile['content'],
    query: Query,
    options: { readonly signal: AbortSignal },
  ) => Promise<Check>
}

/** What the service understands of a file and would refuse. It is asked again after each change. */
export function useSheetCheck<Query extends object, Check extends SheetCheck>({
  file,
  query,
  check,
}: Asked<Query, Check>) {
  const text = JSON.stringify(query)
  const now = useMemo(() => ({ file, text }), [file, text])
  const [asked] = useDebouncedValue(now, typingPauseMs)
  const of = `${asked.file?.id} ${asked.file?.version} ${asked.text}`
  const read = useQuery({
    queryKey: ['sheet check', asked.file?.id, asked.file?.version, asked.text],
    queryFn: async ({ signal }) => {
      if (asked.file === null) throw new Error('bug: there is no file')
      return await check(asked.file.content, JSON.parse(asked.text) as Query, { signal })
    },
    enabled: asked.file !== null,
    // Columns and errors stay while the file is checked again.
    placeholderData: (before, query) =>
      query?.queryKey[1] === asked.file?.id ? before : undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // Lines are personal data.
    gcTime: 0,
  })
  const { error } = useShown(read, of)
  const isOfFile = file !== null && asked.file?.id === file.id
  return {
    /** The answer for this file, perhaps from before the latest change of the choices. */
    answer: isOfFile && error === null ? read.data : undefined,
    error: isOfFile ? error : null,
    isSettled: asked === now && read.isSuccess && !read.isPlaceholderData,
  }
}

export function headerErrors({ errors }: Pick<SheetCheck, 'errors'>): readonly SheetError[] {
  return errors.filter(({ reason }) => headerReasons.includes(reason))
}

export function lineErrors({ errors }: Pick<SheetCheck, 'errors'>): readonly SheetError[] {
  return errors.filter(({ reason }) => !headerReasons.includes(reason))
}

/** The sentence of an error. The service begins it with the column, which is shown beside it. */
export function errorSentence({ detail }: Pick<SheetError, 'detail'>): string {
  return detail.replace(/^Column `[^`]*`: /, '')
}
