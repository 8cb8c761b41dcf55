import { i18n } from '@lingui/core'
import { AppShell, Box, Burger, Button, Group, Kbd } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { spotlight } from '@mantine/spotlight'
import IconLogout from '@tabler/icons-react/icons/IconLogout'
import IconSearch from '@tabler/icons-react/icons/IconSearch'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { LastFilters } from '../lists/list-link.tsx'
import { ZoneSwitch } from '../parts/times.tsx'
import { useEntry, useSession } from '../session.tsx'
import { CommandPalette } from './command-palette.tsx'
import { DamageNotice } from './damage-notice.tsx'
import { Navigation } from './navigation.tsx'
import { ScreenCommands } from './screen-commands.tsx'
import { ShortcutHelp } from './shortcut-help.tsx'
import { StaleNotice } from './stale-notice.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

const headerPx = 52
const navigationPx = 216

/** The frame of every screen: the mode, navigation, search and sign-out. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { key } = useSession()
  const [isOpen, navigation] = useDisclosure(false)
  const [isHelping, help] = useDisclosure(false)
  const [location] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address closes the navigation
  useEffect(navigation.close, [location])
  useSearchKeys()
  // Not every keyboard needs Shift for it.
  useHotkeys(
    [
      ['shift + ?', help.open],
      ['?', help.open],
    ],
    undefined,
    false,
  )
  return (
    <AppShell
      header={{ height: headerPx }}
      navbar={{ width: navigationPx, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      transitionDuration={0}
      data-mode={key.livemode ? 'live' : 'test'}
    >
      <a className="skip" href="#screen">
        {i18n.t('Skip to the content')}
      </a>
      <AppShell.Header className="top">
        <Burger
          hiddenFrom="sm"
          size="sm"
          opened={isOpen}
          aria-label={isOpen ? i18n.t('Close the navigation') : i18n.t('Open the navigation')}
          aria-expanded={isOpen}
          onClick={navigation.toggle}
        />
        <Box component="span" fw={600} lts="-0.01em" visibleFrom="sm">
          shipping-ledger
        </Box>
        <Mode />
        <Button
          className="search-opener"
          variant="default"
          ml="auto"
          miw={{ sm: '14rem' }}
          fw={400}
          c="dimmed"
          leftSection={<IconSearch size={15} />}
          rightSection={
            <Kbd size="xs" visibleFrom="sm">
              Ctrl K
            </Kbd>
          }
          onClick={spotlight.open}
        >
          {i18n.t('Search')}
        </Button>
        <Group gap={2} wrap="nowrap">
          <ZoneSwitch />
          <ThemeSwitch />
          <SignOut />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="navigation" p="xs" aria-label={i18n.t('Screens')}>
        <Navigation />
      </AppShell.Navbar>
      <ScreenCommands>
        <ScreenArea>
          <div className="notices">
            <DamageNotice />
            <StaleNotice />
          </div>
          <LastFilters>{children}</LastFilters>
        </ScreenArea>
        <CommandPalette onHelp={help.open} />
      </ScreenCommands>
      {isHelping && <ShortcutHelp onClose={help.close} />}
    </AppShell>
  )
}

/** The mode is shown both as a word and as a color. */
function Mode() {
  const { key } = useSession()
  return (
    <Group component="p" className="mode" gap="xs" wrap="nowrap" m={0} fz="sm" c="var(--on-top)">
      <strong>{key.livemode ? i18n.t('LIVE') : i18n.t('TEST')}</strong>
      <Box component="span" visibleFrom="sm">
        {key.livemode
          ? i18n.t('real guides · key …{last4}', { last4: key.last4 })
          : i18n.t('simulated courier · key …{last4}', { last4: key.last4 })}
      </Box>
    </Group>
  )
}

function SignOut() {
  const { leave } = useEntry()
  return (
    <Button
      variant="subtle"
      color="gray"
      className="quiet"
      aria-label={i18n.t('Sign out')}
      leftSection={<IconLogout size={16} />}
      onClick={leave}
    >
      <Box component="span" visibleFrom="sm">
        {i18n.t('Sign out')}
      </Box>
    </Button>
  )
}

/** Moves the focus to the content at sign-in and when the address changes, for screen readers. */
function ScreenArea({ children }: { readonly children: ReactNode }) {
  const [location] = useLocation()
  const area = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another content
  useEffect(() => area.current?.focus(), [location])
  return (
    <AppShell.Main id="screen" className="screen" ref={area} tabIndex={-1}>
      {children}
    </AppShell.Main>
  )
}

function useSearchKeys() {
  // A layout effect, because the keys must work as soon as the page is shown.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      spotlight.open()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
