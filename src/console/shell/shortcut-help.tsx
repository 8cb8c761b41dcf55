import { Kbd, Table } from '@mantine/core'
import { DialogWindow } from '../parts/dialog.tsx'

const shortcuts = [
  [['Ctrl K', '⌘ K'], 'Search, or jump to a screen', 'everywhere'],
  [['/'], 'Search', 'everywhere'],
  [['?'], 'This help', 'everywhere'],
  [['Esc'], 'Close a window', 'everywhere'],
  [['j', '↓'], 'Next row', 'in a list'],
  [['k', '↑'], 'Previous row', 'in a list'],
  [['Enter'], 'Open the row', 'in a list'],
  [['x'], 'Choose the row', 'where rows have a box'],
  [['r'], 'Resolve it', 'on an operation'],
  [['l'], 'Look at the courier now', 'on an operation'],
  [['a'], 'Assign it', 'on an operation'],
  [['r'], 'Accept or dispute it', 'on a line of an invoice'],
] as const

/** The keys, and where they work. */
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
