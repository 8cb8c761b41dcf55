import { Kbd, Table } from '@mantine/core'
import { DialogWindow } from '../parts/dialog.tsx'

const shortcuts = [
  [['Ctrl K', '⌘ K'], 'Search, or jump to a screen'],
  [['j', '↓'], 'Next row'],
  [['k', '↑'], 'Previous row'],
  [['Enter'], 'Open the row'],
  [['x'], 'Choose the row'],
  [['r'], 'Resolve the operation'],
  [['l'], 'Look at the courier now'],
  [['a'], 'Assign the operation'],
  [['/'], 'Search'],
  [['?'], 'This help'],
  [['Esc'], 'Close a window'],
] as const

/** The keys, and where they work if not on every screen. */
export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <DialogWindow title="Keyboard shortcuts" open onOpenChange={(open) => open || onClose()}>
      <Table>
        <Table.Tbody>
          {shortcuts.map(([keys, what]) => (
            <Table.Tr key={what}>
              <Table.Td>
                {keys.map((key) => (
                  <Kbd key={key} mr={6}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </DialogWindow>
  )
}
