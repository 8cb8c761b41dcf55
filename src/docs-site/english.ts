import { i18n } from '@lingui/core'
import { compileMessagesOnUse } from '../console/languages/compiled-messages.ts'

// The documentation is in English, also the parts that it shares with the console.
compileMessagesOnUse()
i18n.activate('en')
