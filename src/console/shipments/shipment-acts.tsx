import { i18n } from '@lingui/core'
import { Button } from '@mantine/core'
import IconBan from '@tabler/icons-react/icons/IconBan'
import IconEraser from '@tabler/icons-react/icons/IconEraser'
import { useMemo, useState } from 'react'
import type { Answered, Shipment } from '../../client/methods.ts'
import { useScreenCommands } from '../shell/screen-commands.tsx'
import { CancelGuide } from './cancel-guide.tsx'
import { EraseData } from './erase-data.tsx'

type Act = 'cancel' | 'erase'

type ActsProps = { readonly shipment: Answered<Shipment> }

/**
 * What support does with a shipment, as buttons and in the command palette. An action that is
 * impossible opens its dialog too, which explains why and what to do instead.
 */
export function ShipmentActs({ shipment }: ActsProps) {
  const [opened, setOpened] = useState<Act | null>(null)
  const { external_reference: reference } = shipment
  const commands = useMemo(
    () => [
      {
        word: cancelWord(),
        description: reference,
        icon: <IconBan size={18} />,
        run: () => setOpened('cancel'),
      },
      {
        word: eraseWord(),
        description: reference,
        icon: <IconEraser size={18} />,
        run: () => setOpened('erase'),
      },
    ],
    [reference],
  )
  useScreenCommands(commands)
  const close = () => setOpened(null)
  return (
    <>
      <Button
        className="support-act"
        variant="default"
        leftSection={<IconBan size={15} />}
        onClick={() => setOpened('cancel')}
      >
        {cancelWord()}
      </Button>
      <Button
        className="support-act"
        variant="default"
        leftSection={<IconEraser size={15} />}
        onClick={() => setOpened('erase')}
      >
        {eraseWord()}
      </Button>
      {opened === 'cancel' && <CancelGuide shipment={shipment} onClose={close} />}
      {opened === 'erase' && <EraseData shipment={shipment} onClose={close} />}
    </>
  )
}

const cancelWord = () => i18n.t('Cancel the guide…')
const eraseWord = () => i18n.t('Erase personal data…')
