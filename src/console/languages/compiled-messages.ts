import { i18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'

/** One entry for each text of the sources that was shown. */
const compiled = new Map<string, ReturnType<typeof compileMessage>>()

/** Lets texts with values and plurals be read as they are written, each compiled once. */
export function compileMessagesOnUse(): void {
  i18n.setMessagesCompiler((message) => {
    const known = compiled.get(message)
    if (known !== undefined) return known
    const made = compileMessage(message)
    compiled.set(message, made)
    return made
  })
}
