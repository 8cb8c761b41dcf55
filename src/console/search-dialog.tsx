import { Dialog } from '@base-ui/react/dialog'

type SearchProps = {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

export function SearchDialog({ open, onOpenChange }: SearchProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <Dialog.Title>Search</Dialog.Title>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
