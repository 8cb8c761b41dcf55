import { i18n } from '@lingui/core'
import type { Schemas } from '../../client/methods.ts'
import { sentenceWords } from '../forms/service-sentences.ts'
import { ServiceText } from '../parts/service-text.tsx'
import { causes } from './causes.ts'

type LineError = NonNullable<Schemas['BatchItem']['error']>

/** The state of a number of lines. */
export function lineStateWord(state: string, count: number): string {
  const words: Readonly<Record<string, string>> = {
    waiting: i18n.t('{count, plural, other {waiting}}', { count }),
    creating: i18n.t('{count, plural, other {creating}}', { count }),
    created: i18n.t('{count, plural, other {created}}', { count }),
    invalid: i18n.t('{count, plural, other {invalid}}', { count }),
    failed: i18n.t('{count, plural, other {failed}}', { count }),
    rejected: i18n.t('{count, plural, other {rejected}}', { count }),
    not_created: i18n.t('{count, plural, other {not created}}', { count }),
    not_executed: i18n.t('{count, plural, other {not executed}}', { count }),
    unknown_outcome: i18n.t('{count, plural, other {unknown outcome}}', { count }),
    cancelling: i18n.t('{count, plural, other {cancelling}}', { count }),
    cancelled: i18n.t('{count, plural, other {cancelled}}', { count }),
    not_begun: i18n.t('{count, plural, other {not begun}}', { count }),
  }
  return words[state] ?? state.replaceAll('_', ' ')
}

/** How many lines of a batch got a guide. */
export function resultWord(result: string): string {
  const words: Readonly<Record<string, string>> = {
    all: i18n.t({ id: 'all (lines)', message: 'all' }),
    some: i18n.t({ id: 'some (lines)', message: 'some' }),
    none: i18n.t({ id: 'none (lines)', message: 'none' }),
  }
  return words[result] ?? result
}

/** Why lines have no guide. */
export function Cause({ reason }: { readonly reason: string }) {
  return causes()[reason] ?? <ServiceText>{reason.replaceAll('_', ' ')}</ServiceText>
}

/** Our own words for what went wrong with a line, apart from its fields; null if there are none. */
function causeWords({ reason, title, detail }: LineError): string | null {
  const isGeneral = detail.startsWith(`${title}.`)
  return (isGeneral ? causes()[reason] : undefined) ?? sentenceWords(detail)
}

export function CauseOf({ error }: { readonly error: LineError }) {
  return causeWords(error) ?? <ServiceText>{error.detail}</ServiceText>
}

/** The same as a text for a file. */
export function causeText(error: LineError): string {
  return causeWords(error) ?? error.detail
}
