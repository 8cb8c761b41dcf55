import { i18n } from '@lingui/core'
import { Checkbox, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answered, Schemas } from '../../client/methods.ts'
import { errorAt } from '../forms/field-errors.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { ifUnchanged } from '../forms/if-unchanged.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { useSession } from '../session.tsx'

type Workspace = Answered<Schemas['Workspace']>

/** The API's own limits. */
const shopNameMax = 80
const supportUrlMax = 500

const fields = [
  '/tracking_page/shop_name',
  '/tracking_page/support_url',
  '/tracking_page/accent',
] as const

/** Whether recipients have a page, and how it names the shop. */
export function recipientPageText({ name, tracking_page: page }: Workspace): string {
  if (!page.enabled) return i18n.t('turned off')
  return i18n.t('shows the shop as “{name}”', { name: page.shop_name ?? name })
}

type DialogProps = { readonly workspace: Workspace; readonly onClose: () => void }

/** Changes the version of the workspace that the dialog opened with. */
export function RecipientPageDialog({ workspace, onClose }: DialogProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [opened] = useState(workspace)
  const [page, setPage] = useState(opened.tracking_page)
  const sending = useSendOnce({
    send: () =>
      client.workspaces.update({ id: opened.id, tracking_page: page }, ifUnchanged(opened)),
    onSent: async (changed) => {
      queries.setQueryData(['workspace', opened.id], changed)
      await queries.invalidateQueries({ queryKey: ['workspaces'] })
      onClose()
    },
  })
  const { error } = sending
  return (
    <FormDialog
      title={i18n.t("Recipient's page")}
      does={i18n.t('Save')}
      sending={sending}
      fields={fields}
      onClose={onClose}
    >
      <p>
        {i18n.t(
          'Each shipment with a guide has a link to a page for the person who waits for the parcel. Send it with your own message.',
        )}
      </p>
      <Checkbox
        label={i18n.t('Shipments have a link')}
        description={i18n.t('While this is off, links that were sent lead nowhere.')}
        checked={page.enabled}
        onChange={(event) => setPage({ ...page, enabled: event.currentTarget.checked })}
      />
      <TextInput
        label={i18n.t("Shop's name on the page")}
        description={i18n.t('Empty: the name of the workspace.')}
        maxLength={shopNameMax}
        value={page.shop_name ?? ''}
        error={errorAt(error, '/tracking_page/shop_name')}
        onChange={(event) => setPage({ ...page, shop_name: event.currentTarget.value || null })}
      />
      <TextInput
        label={i18n.t('Support address')}
        description={i18n.t('Where recipients can ask: https://…, mailto:… or tel:…')}
        maxLength={supportUrlMax}
        spellCheck={false}
        value={page.support_url ?? ''}
        error={errorAt(error, '/tracking_page/support_url')}
        onChange={(event) => setPage({ ...page, support_url: event.currentTarget.value || null })}
      />
      <TextInput
        label={i18n.t('Color')}
        description={i18n.t('The band with the name of the shop, like #1f6f54. Empty: gray.')}
        spellCheck={false}
        value={page.accent ?? ''}
        error={errorAt(error, '/tracking_page/accent')}
        onChange={(event) => setPage({ ...page, accent: event.currentTarget.value || null })}
      />
    </FormDialog>
  )
}
