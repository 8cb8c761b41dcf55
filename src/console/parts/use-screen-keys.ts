import { useHotkeys } from '@mantine/hooks'

type Keys = readonly (readonly [key: string, act: () => void])[]

/** Keyboard shortcuts of a screen. They are inactive in fields and while a dialog is open. */
export function useScreenKeys(keys: Keys): void {
  useHotkeys(
    keys.map(([key, act]) => [
      key,
      () => {
        if (document.querySelector('.dialog') === null) act()
      },
    ]),
  )
}
