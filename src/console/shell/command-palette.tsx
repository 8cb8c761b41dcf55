import { i18n } from '@lingui/core'
import { useMantineColorScheme } from '@mantine/core'
import { Spotlight, spotlight } from '@mantine/spotlight'
import IconArrowRight from '@tabler/icons-react/icons/IconArrowRight'
import IconKeyboard from '@tabler/icons-react/icons/IconKeyboard'
import IconLogout from '@tabler/icons-react/icons/IconLogout'
import IconMoon from '@tabler/icons-react/icons/IconMoon'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { Badge } from '../parts/badge.tsx'
import { ErrorMessage } from '../parts/states.tsx'
import { type Found, foundBy, search } from '../reading/search.ts'
import { screens } from '../screens.tsx'
import { useEntry, useSession } from '../session.tsx'
import { type ScreenCommand, useCommandsOfScreen } from './screen-commands.tsx'

/** Debounces typing: each keystroke would be a request. */
const typingPauseMs = 250
const none: readonly Found[] = []

type PaletteProps = { readonly onHelp: () => void }

/** Finds objects by id or reference, opens screens, and runs commands. Opens with Ctrl K. */
export function CommandPalette({ onHelp }: PaletteProps) {
  const [typed, setTyped] = useState('')
  return (
    <Spotlight.Root
      title={i18n.t('Search')}
      shortcut={['mod + K', '/', 'shift + /']}
      query={typed}
      onQueryChange={setTyped}
      scrollable
      maxHeight={420}
    >
      <Search typed={typed} onHelp={onHelp} />
    </Spotlight.Root>
  )
}

function Search({ typed, onHelp }: PaletteProps & { readonly typed: string }) {
  const text = typed.trim()
  const [, goTo] = useLocation()
  const { found, isAnswered } = useFound(text)
  const results = isAnswered ? (found.data ?? none) : none
  const commands = useCommands(onHelp).filter(({ word }) => matches(word, text))
  const [awaited, setAwaited] = useState<string | null>(null)
  const hrefAwaited = awaited === text && results.length === 1 ? results[0]?.href : undefined
  useEffect(() => {
    if (hrefAwaited === undefined) return
    goTo(hrefAwaited)
    spotlight.close()
  }, [hrefAwaited, goTo])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isChosen = document.querySelector('[data-action][data-selected]') !== null
    if (event.key !== 'Enter' || isChosen || text === '') return
    if (results[0] === undefined && commands[0] !== undefined) {
      commands[0].run()
      spotlight.close()
    } else if (results[0] === undefined) setAwaited(text)
    else {
      goTo(results[0].href)
      spotlight.close()
    }
  }
  return (
    <>
      <Spotlight.Search
        type="search"
        aria-label={i18n.t('Search')}
        placeholder={i18n.t('Order, guide number, id, idempotency key, or a screen')}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={onKeyDown}
      />
      <div className="palette-said">
        <span role="status">
          {text === '' ? '' : isAnswered ? countOf(results, commands.length) : i18n.t('Searching…')}
        </span>
        {text !== '' && (
          <span>
            {hintOf(isAnswered && results.length + commands.length === 0 && !/\d/.test(text))}
          </span>
        )}
      </div>
      {found.error !== null && <ErrorMessage error={found.error} />}
      <Spotlight.ActionsList>
        {results.map((one) => (
          <Spotlight.Action
            key={one.id}
            label={one.title}
            description={`${foundBy(one)} · ${one.id}`}
            rightSection={one.state !== null && <Badge value={one.state} />}
            onClick={() => goTo(one.href)}
          />
        ))}
        {commands.map(({ word, description, icon, run }) => (
          <Spotlight.Action
            key={word}
            label={word}
            description={description}
            leftSection={icon}
            onClick={run}
          />
        ))}
      </Spotlight.ActionsList>
    </>
  )
}

function useFound(text: string) {
  const { client } = useSession()
  const settled = useSettled(text)
  const found = useQuery({
    queryKey: ['search', settled],
    queryFn: ({ signal }) => search(settled, { client, signal }),
    enabled: settled !== '',
    gcTime: 0,
  })
  return { found, isAnswered: found.data !== undefined && settled === text }
}

function matches(word: string, text: string): boolean {
  return text === '' || word.toLowerCase().includes(text.toLowerCase())
}

function useCommands(onHelp: () => void): readonly ScreenCommand[] {
  const { leave } = useEntry()
  const { key } = useSession()
  const [, goTo] = useLocation()
  const { toggleColorScheme } = useMantineColorScheme()
  const commandsOfScreen = useCommandsOfScreen()
  const screensOfKey = screens.filter(
    ({ title, scope }) => title !== null && (scope === null || key.scopes.includes(scope)),
  )
  return [
    ...commandsOfScreen,
    ...screensOfKey.map(({ path, title, icon: Icon }) => ({
      word: i18n.t('Go to {screen}', { screen: title?.() ?? '' }),
      description: '',
      icon: Icon === null ? <IconArrowRight size={18} /> : <Icon size={18} />,
      run: () => goTo(path),
    })),
    {
      word: i18n.t('Switch between light and dark'),
      description: '',
      icon: <IconMoon size={18} />,
      run: toggleColorScheme,
    },
    {
      word: i18n.t('Keyboard shortcuts'),
      description: '',
      icon: <IconKeyboard size={18} />,
      run: onHelp,
    },
    { word: i18n.t('Sign out'), description: '', icon: <IconLogout size={18} />, run: leave },
  ]
}

function countOf(found: readonly Found[], commands: number): string {
  const count = found.length
  if (count === 0 && commands > 0) return ''
  if (count === 0) return i18n.t('No matches that this key can see.')
  return i18n.t('{count, plural, one {# result} other {# results}}', { count })
}

function hintOf(isNothingFound: boolean): string {
  return isNothingFound
    ? i18n.t('Names are encrypted and cannot be searched. Ask for the order or guide number.')
    : i18n.t('Ids and references match by prefix, guide numbers and keys exactly.')
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingPauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
