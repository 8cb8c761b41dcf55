import { i18n } from '@lingui/core'
import { ServiceSentence } from '../forms/service-sentence.tsx'
import { sentenceWords } from '../forms/service-sentences.ts'
import { errorSentence, type SheetError } from './use-sheet-check.ts'

/** These name the candidates too, which are offered as choices. */
function nameSentences(): Readonly<Record<string, string>> {
  return {
    agency_not_found: i18n.t('The courier has no agency of this name.'),
    agency_ambiguous: i18n.t('Several agencies have this name.'),
    product_not_found: i18n.t('The courier has no kind of parcel of this name.'),
    product_ambiguous: i18n.t('Several kinds of parcel have this name.'),
  }
}

/** Whether the user can choose what this name of an agency or product means. */
export function isName({ reason, value }: SheetError): boolean {
  return reason in nameSentences() && value !== null
}

export function nameSentence({ reason }: SheetError): string {
  return nameSentences()[reason] ?? ''
}

/** An error as a text, for a file. */
export function errorText(error: Pick<SheetError, 'detail'>): string {
  const sentence = errorSentence(error)
  return sentenceWords(sentence) ?? sentence
}

/** An error of a header or a line, with what it may have meant. */
export function ErrorWords({ error }: { readonly error: SheetError }) {
  const { reason, column, suggestions } = error
  const name = nameSentence(error)
  const labels = suggestions.map(({ label }) => label)
  if (name !== '') {
    const advice = isName(error)
      ? i18n.t('Choose one above, or correct it here.')
      : i18n.t('Correct it here or in the file.')
    return `${name} ${advice}`
  }
  if (reason === 'unit_missing' && column !== null && labels[0] !== undefined) {
    return i18n.t(
      'The column “{column}” does not say its unit. Choose it below, or write it in the file, such as “{example}”.',
      { column, example: labels[0] },
    )
  }
  return (
    <>
      <ServiceSentence>{errorSentence(error)}</ServiceSentence>
      {labels.length > 0 && ` ${i18n.t('Did you mean {choices}?', { choices: eitherOf(labels) })}`}
    </>
  )
}

function eitherOf(labels: readonly string[]): string {
  return new Intl.ListFormat(i18n.locales, { type: 'disjunction' }).format(labels)
}
