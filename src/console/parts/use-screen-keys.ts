import { useHotkeys } from '@mantine/hooks'

type Keys = readonly (readonly [key: string, act: () => void])[]

/** Keys of a screen. They do nothing in a field, or while a dialog is over the screen. */
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
