import { useState } from 'react'
import { useFirstError } from './use-first-error.ts'

/**
 * A form that does not send what is wrong. Each press that finds something wrong, and each refusal of
 * a request, moves the focus to the first field with an error.
 */
export function useCheckedForm(error: unknown) {
  /** Another object with each press, so that the focus moves again. */
  const [stopped, setStopped] = useState<object | null>(null)
  return {
    form: useFirstError(stopped ?? error),
    /** Whether what is wrong must be shown. */
    isStopped: stopped !== null,
    /** Sends unless something is wrong. */
    press(isWrong: boolean, send: () => void) {
      setStopped(isWrong ? {} : null)
      if (!isWrong) send()
    },
    /** After the user has changed something. */
    goOn: () => setStopped(null),
  }
}
