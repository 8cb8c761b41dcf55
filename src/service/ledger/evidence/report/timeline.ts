import type { Language } from '../../../domain/language.ts'
import type { LedgerEvent } from '../../../event-store/codec.ts'
import type { Describers, Description, Kept } from './descriptions.ts'
import { englishDescriptions } from './english-descriptions.ts'
import { spanishDescriptions } from './spanish-descriptions.ts'
import type { Times } from './times.ts'

export type DescribeDeps = {
  readonly times: Times
  readonly kept: Kept
  readonly language: Language
}

const describers: Readonly<Record<Language, Describers>> = {
  en: englishDescriptions,
  es: spanishDescriptions,
}

export function describeEvent(
  event: LedgerEvent,
  { language, ...deps }: DescribeDeps,
): Description {
  const describe = describers[language][event.type] as (
    data: LedgerEvent['data'],
    deps: Pick<DescribeDeps, 'times' | 'kept'>,
  ) => Description
  const { what, why } = describe(event.data, deps)
  return { what, why: why.trim() }
}
