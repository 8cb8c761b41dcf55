import { NativeSelect } from '@mantine/core'
import { chooseLanguage, currentLanguage, type Language, languages } from './language.ts'

/** Each language is named in itself, for people who do not read the current one. */
const choices = Object.entries(languages).map(([value, label]) => ({ value, label }))

export function LanguageChoice() {
  return (
    <NativeSelect
      size="xs"
      mt="lg"
      w="8rem"
      aria-label="Language · Idioma"
      value={currentLanguage()}
      data={choices}
      onChange={(event) => void chooseLanguage(event.currentTarget.value as Language)}
    />
  )
}
