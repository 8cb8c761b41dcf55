import { i18n } from '@lingui/core'
import { Button, Group, Text } from '@mantine/core'
import IconExternalLink from '@tabler/icons-react/icons/IconExternalLink'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answered, Shipment } from '../../client/methods.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useSendOnce } from '../forms/use-send-once.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { notify } from '../parts/notify.ts'
import { Panel } from '../parts/panel.tsx'
import { useSession } from '../session.tsx'

type LinkProps = { readonly shipment: Answered<Shipment> }

/** The link for the person who waits for the parcel: to copy, open or replace. */
export function RecipientLink({ shipment }: LinkProps) {
  const [isRolling, setRolling] = useState(false)
  const { tracking_url: url, guide_number: guide } = shipment
  return (
    <Panel title={i18n.t("Recipient's page")}>
      {url === null ? (
        <Text c="dimmed">{guide === null ? noGuideWord() : noPageWord()}</Text>
      ) : (
        <>
          <Copyable text={url} />
          <Group gap="xs" mt="xs">
            <Button
              component="a"
              href={url}
              target="_blank"
              rel="noopener noreferrer"
              variant="default"
              leftSection={<IconExternalLink size={15} />}
            >
              {i18n.t('Open the page')}
            </Button>
            <ActButton
              word={i18n.t('Replace the link…')}
              scope="shipments:write"
              onAct={() => setRolling(true)}
            />
          </Group>
        </>
      )}
      {isRolling && <RollDialog shipment={shipment} onClose={() => setRolling(false)} />}
    </Panel>
  )
}

const noGuideWord = () => i18n.t('The shipment has a link once it has a guide.')
const noPageWord = () =>
  i18n.t(
    'There is no link: the personal data was erased, or the workspace has turned the page off.',
  )

function RollDialog({ shipment, onClose }: LinkProps & { readonly onClose: () => void }) {
  const { client } = useSession()
  const queries = useQueryClient()
  const { id, external_reference: reference } = shipment
  const sending = useSendOnce({
    attemptName: `link of ${id} after ${shipment.tracking_url}`,
    send: (idempotencyKey) => client.tracking.rollLink({ id }, { idempotencyKey }),
    onSent: (changed) => {
      queries.setQueryData(['shipment', id], changed)
      notify(reference, i18n.t('The link was replaced.'))
      onClose()
    },
  })
  return (
    <FormDialog
      title={i18n.t('Replace the link?')}
      does={i18n.t('Replace it')}
      sending={sending}
      fields={[]}
      onClose={onClose}
    >
      <p>
        {i18n.t(
          'The present link leads nowhere from then on, including the one printed on the label. Send the new link to the recipient.',
        )}
      </p>
    </FormDialog>
  )
}
