import { i18n } from '@lingui/core'
import t from 'tap'
import { causes } from '../../src/console/batches/causes.ts'
import { errorTable } from '../../src/service/errors.ts'

i18n.loadAndActivate({ locale: 'en', messages: {} })

t.test('every cause in words is of a reason that the API has', async (t) => {
  const unknown = Object.keys(causes()).filter((reason) => !Object.hasOwn(errorTable, reason))
  t.same(unknown, [])
})
