import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-json'

/** English is in the sources. `npm run texts` adds the new ones to the other languages. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['es'],
  orderBy: 'messageId',
  catalogs: [
    {
      path: '<rootDir>/languages/{locale}',
      include: ['<rootDir>'],
      exclude: ['<rootDir>/build/**', '<rootDir>/languages/*.json'],
    },
  ],
  format: formatter({ style: 'minimal' }),
})
