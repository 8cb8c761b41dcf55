import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Client } from '../../../client/create-client.ts'
import { useDraft } from '../../forms/use-draft.ts'
import { useShown } from '../../reading/use-recovery.ts'
import { useSession } from '../../session.tsx'
import type { CsvFile } from '../file/csv-file.ts'
import { isMapped, type Mapping } from '../file/line-columns.ts'
import {
  agencyAnswer,
  capabilityOf,
  type NameAnswer,
  namesIn,
  productAnswer,
  type SheetName,
  searchOf,
  widerSearchOf,
} from './name-cells.ts'

/** Names of a file that are looked up here, each by a request or two. The service knows the others. */
const namesMax = 200
const atOnceMax = 4
/** The API's largest page. */
const pageItems = 100
/** A search that finds more says too little about one name; the service decides then. */
const foundMax = 500

type Answers = ReadonlyMap<string, NameAnswer>
/** By connection and key of the name: the id that a person chose. */
type Chosen = Readonly<Record<string, string>>

const noAnswers: Answers = new Map()
const noneChosen: Chosen = {}

export type Names = ReturnType<typeof useNames>

/** What the names in a file stand for at this connection, looked up before anything is sent. */
export function useNames(file: CsvFile | null, mapping: Mapping, connectionId: string) {
  const { client, drafts } = useSession()
  const [chosen, keep] = useDraft<Chosen>('batch-names', noneChosen)
  const all = useMemo(() => {
    // Then a line's courier may be another.
    if (file === null || isMapped(mapping.courier_connection_id)) return []
    return namesIn(file, mapping)
  }, [file, mapping])
  const asked = all.slice(0, namesMax)
  const isEnabled = connectionId !== '' && asked.length > 0
  const of = JSON.stringify([connectionId, asked.map(({ key }) => key)])
  const query = useQuery({
    queryKey: ['batch-names', of],
    queryFn: async ({ signal }) => {
      const known = answersKept(drafts, connectionId)
      await lookUp(client, { connectionId, names: asked, known, signal })
      return new Map(known)
    },
    enabled: isEnabled,
    gcTime: 0,
  })
  const { data, error } = useShown(query, of)
  const answers = data ?? noAnswers
  const decided = useMemo(() => {
    const byKey = new Map<string, NameAnswer>(answers)
    for (const [key, answer] of answers) {
      const id = chosen[`${connectionId} ${key}`] ?? ''
      if (id !== '' && 'detail' in answer) byKey.set(key, { id })
    }
    return byKey
  }, [answers, chosen, connectionId])
  return {
    /** The names that fit none or several, with what they may be. */
    open: asked.flatMap((name) => {
      const answer = answers.get(name.key)
      return answer !== undefined && 'detail' in answer ? [{ ...name, ...answer }] : []
    }),
    asked: asked.length,
    left: isEnabled ? all.length - asked.length : 0,
    isSettled: !isEnabled || data !== undefined,
    error,
    /** With what was chosen. */
    answers: decided,
    chosenFor: ({ key }: SheetName) => chosen[`${connectionId} ${key}`] ?? '',
    choose: ({ key }: SheetName, id: string) => keep({ ...chosen, [`${connectionId} ${key}`]: id }),
  }
}

/** They outlive the file: a corrected one has mostly the same names. */
function answersKept(drafts: Map<string, unknown>, connectionId: string): Map<string, NameAnswer> {
  const name = `batch-answers ${connectionId}`
  const kept = (drafts.get(name) as Map<string, NameAnswer> | undefined) ?? new Map()
  drafts.set(name, kept)
  return kept
}

type Asked = {
  readonly connectionId: string
  readonly names: readonly SheetName[]
  readonly known: Map<string, NameAnswer>
  readonly signal: AbortSignal
}

/** Adds what is not known yet, a few names at once. */
async function lookUp(client: Client, { connectionId, names, known, signal }: Asked) {
  const of = { courier_connection_id: connectionId, limit: pageItems }
  const waiting = names.filter(({ key }) => !known.has(key))
  const isProduct = ({ column }: SheetName) => column === 'product'
  if (waiting.some(isProduct)) {
    const products = []
    for await (const one of client.couriers.listPackageProducts(of, { signal })) products.push(one)
    for (const name of waiting.filter(isProduct)) known.set(name.key, productAnswer(name, products))
  }
  const agencies = waiting.filter((name) => !isProduct(name)).values()
  const work = async () => {
    for (const name of agencies) {
      const answer = await agencyOf(client, of, name, signal)
      if (answer !== null) known.set(name.key, answer)
    }
  }
  await Promise.all(Array.from({ length: atOnceMax }, work))
}

type Of = { readonly courier_connection_id: string; readonly limit: number }

/** Null: too many agencies are found. */
async function agencyOf(
  client: Client,
  of: Of,
  name: SheetName,
  signal: AbortSignal,
): Promise<NameAnswer | null> {
  const search = searchOf(name)
  if (search === '') return agencyAnswer(name, [])
  const found = []
  for await (const one of client.couriers.listAgencies({ ...of, search }, { signal })) {
    if (found.length === foundMax) return null
    found.push(one)
  }
  const answer = agencyAnswer(name, found)
  const wider = widerSearchOf(name)
  if ('id' in answer || answer.candidates.length > 0 || wider === search) return answer
  const about = { ...of, search: wider, capability: capabilityOf(name) }
  const { data } = await client.couriers.listAgencies(about, { signal })
  const like = agencyAnswer(name, data)
  return 'id' in like ? like : { ...answer, candidates: like.candidates }
}
