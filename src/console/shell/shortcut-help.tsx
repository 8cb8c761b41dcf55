import { Kbd, Table } from '@mantine/core'
import { DialogWindow } from '../parts/dialog.tsx'

const shortcuts = [
  [['Ctrl K', '⌘ K'], 'Search, or jump to a screen', 'everywhere'],
  [['/'], 'Search', 'everywhere'],
  [['?'], 'This help', 'everywhere'],
  [['Esc'], 'Close a dialog', 'everywhere'],
  [['j', '↓'], 'Next row', 'in a list'],
  [['k', '↑'], 'Previous row', 'in a list'],
  [['Enter'], 'Open the row', 'in a list'],
  [['x'], 'Select the row', 'where rows have a checkbox'],
  [['r'], 'Resolve', 'on an operation'],
  [['l'], 'Ask the courier', 'on an operation'],
  [['a'], 'Assign', 'on an operation'],
  [['r'], 'Accept or dispute', 'on an invoice line'],
] as const

export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <DialogWindow title="Keyboard shortcuts" open onOpenChange={(open) => open || onClose()}>
      <Table>
        <Table.Tbody>
          {shortcuts.map(([keys, what, where]) => (
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
