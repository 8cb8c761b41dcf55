import { i18n } from '@lingui/core'
import { Radio, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import type { Operation } from '../../client/methods.ts'
import { guidesOf } from '../operations/why.ts'

/** The API's own limit. */
const guideNumberMax = 64

type GuideNumberProps = {
  readonly operation: Operation
  readonly value: string
  readonly onChange: (guideNumber: string) => void
}

/** Chooses one of the guides that the courier has listed, or another one. */
export function GuideNumber({ operation, value, onChange }: GuideNumberProps) {
  const id = useId()
  const seen = guidesOf(operation)
  const [isAnother, setAnother] = useState(
    seen.length === 0 || (value !== '' && !seen.includes(value)),
  )
  const choose = (guideNumber: string, another: boolean) => {
    setAnother(another)
    onChange(guideNumber)
  }
  const choice = (word: string, isChosen: boolean, act: () => void) => (
    <Radio key={word} name={`${id}-seen`} required label={word} checked={isChosen} onChange={act} />
  )
  return (
    <fieldset>
      <legend>{i18n.t('Guide')}</legend>
      {seen.map((one) => choice(one, !isAnother && value === one, () => choose(one, false)))}
      {seen.length > 0 && choice(i18n.t('Another guide'), isAnother, () => choose('', true))}
      {isAnother && (
        <TextInput
          label={i18n.t('Guide number')}
          required
          withAsterisk={false}
          maxLength={guideNumberMax}
          pattern="\s*[0-9A-Za-z\-]+\s*"
          title={i18n.t('Letters, digits and hyphens')}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(wordsIn(event.target))}
        />
      )}
      <p className="reason">
        {i18n.t('The service asks the courier whether it knows this guide under our reference.')}
      </p>
    </fieldset>
  )
}

/** Returns the typed text. Text without a letter or digit fails the browser's validation. */
export function wordsIn(field: HTMLInputElement | HTMLTextAreaElement): string {
  const hasWords = /[\p{L}\p{N}]/u.test(field.value)
  const isValid = field.value === '' || hasWords
  field.setCustomValidity(isValid ? '' : i18n.t('Enter a word or a number.'))
  return field.value
}
