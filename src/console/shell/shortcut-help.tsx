import { i18n } from '@lingui/core'
import { Kbd, Table } from '@mantine/core'
import { DialogWindow } from '../parts/dialog.tsx'

function shortcuts() {
  const everywhere = i18n.t('everywhere')
  const inList = i18n.t('in a list')
  const onOperation = i18n.t('on an operation')
  return [
    [['Ctrl K', '⌘ K'], i18n.t('Search, or jump to a screen'), everywhere],
    [['/'], i18n.t('Search'), everywhere],
    [['?'], i18n.t('This help'), everywhere],
    [['Esc'], i18n.t('Close a dialog'), everywhere],
    [['j', '↓'], i18n.t('Next row'), inList],
    [['k', '↑'], i18n.t('Previous row'), inList],
    [['Enter'], i18n.t('Open the row'), inList],
    [['x'], i18n.t('Select the row'), i18n.t('where rows have a checkbox')],
    [['r'], i18n.t('Resolve'), onOperation],
    [['l'], i18n.t('Ask the courier'), onOperation],
    [['a'], i18n.t('Assign'), onOperation],
    [['r'], i18n.t('Accept or dispute'), i18n.t('on an invoice line')],
  ] as const
}

export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <DialogWindow
      title={i18n.t('Keyboard shortcuts')}
      open
      onOpenChange={(open) => open || onClose()}
    >
      <Table>
        <Table.Tbody>
          {shortcuts().map(([keys, what, where]) => (
            <Table.Tr key={what}>
              <Table.Td>
                {keys.map((key) => (
                  <Kbd key={key} mr={6}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{what}</Table.Td>
              <Table.Td className="reason">{where}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </DialogWindow>
  )
}
