import { TextInput } from '@mantine/core'
import { useState } from 'react'

type TypingProps = {
  /** What must be typed. */
  readonly text: string
  /** The name of the text, as a sentence that asks for it. */
  readonly label: string
  /** What the browser says when another text was typed. */
  readonly otherwise: string
}

/** A field that a form accepts only with one text, so that nothing is done by a careless click. */
export function ConfirmByTyping({ text, label, otherwise }: TypingProps) {
  const [typed, setTyped] = useState('')
  return (
    <TextInput
      label={label}
      description={<code dir="auto">{text}</code>}
      required
      withAsterisk={false}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      value={typed}
      onChange={({ currentTarget }) => {
        const isRight = currentTarget.value.trim() === text.trim()
        currentTarget.setCustomValidity(currentTarget.value === '' || isRight ? '' : otherwise)
        setTyped(currentTarget.value)
      }}
    />
  )
}
