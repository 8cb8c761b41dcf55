import { i18n } from '@lingui/core'
import { ActionIcon, Tooltip, useMantineColorScheme } from '@mantine/core'
import IconDeviceDesktop from '@tabler/icons-react/icons/IconDeviceDesktop'
import IconMoon from '@tabler/icons-react/icons/IconMoon'
import IconSun from '@tabler/icons-react/icons/IconSun'

const themes = ['auto', 'light', 'dark'] as const
const icons = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon } as const

/** Switches between the system's theme, light and dark. The choice is stored in this browser. */
export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const next = themes[(themes.indexOf(colorScheme) + 1) % themes.length] ?? 'auto'
  const words = {
    auto: i18n.t('Theme: system'),
    light: i18n.t('Theme: light'),
    dark: i18n.t('Theme: dark'),
  } as const
  const Icon = icons[colorScheme]
  return (
    <Tooltip label={words[colorScheme]}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="md"
        aria-label={words[colorScheme]}
        onClick={() => setColorScheme(next)}
      >
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  )
}
