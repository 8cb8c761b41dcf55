import { ActionIcon, Tooltip, useMantineColorScheme } from '@mantine/core'
import IconDeviceDesktop from '@tabler/icons-react/icons/IconDeviceDesktop'
import IconMoon from '@tabler/icons-react/icons/IconMoon'
import IconSun from '@tabler/icons-react/icons/IconSun'

const themes = ['auto', 'light', 'dark'] as const
const looks = {
  auto: { word: 'system', icon: IconDeviceDesktop },
  light: { word: 'light', icon: IconSun },
  dark: { word: 'dark', icon: IconMoon },
} as const

/** Switches between the system's theme, light and dark. The choice is stored in this browser. */
export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const next = themes[(themes.indexOf(colorScheme) + 1) % themes.length] ?? 'auto'
  const { word, icon: Icon } = looks[colorScheme]
  return (
    <Tooltip label={`Theme: ${word}`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="md"
        aria-label={`Theme: ${word}`}
        onClick={() => setColorScheme(next)}
      >
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  )
}
