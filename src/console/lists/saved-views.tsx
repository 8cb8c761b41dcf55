import { i18n } from '@lingui/core'
import { Box, Button, Menu, TextInput } from '@mantine/core'
import IconBookmark from '@tabler/icons-react/icons/IconBookmark'
import IconX from '@tabler/icons-react/icons/IconX'
import { type FormEvent, useState } from 'react'
import { useLocation, useSearch } from 'wouter'

type View = { readonly name: string; readonly search: string }

/** More than a user needs. */
const viewsMax = 20
const nameMax = 40

/** Only names and filters are stored in the browser, never a key or data. */
function storedViews(screen: string): readonly View[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageOf(screen)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isView) : []
  } catch {
    return []
  }
}

function isView(value: unknown): value is View {
  const { name, search } = (value ?? {}) as Record<string, unknown>
  return typeof name === 'string' && typeof search === 'string'
}

function storageOf(screen: string): string {
  return `shipping-ledger.views.${screen}`
}

/** Named filters of a list. The filters themselves are in the address, so a link shares them. */
export function SavedViews({ screen }: { readonly screen: string }) {
  const [views, setViews] = useState(() => storedViews(screen))
  const [name, setName] = useState('')
  const [location, goTo] = useLocation()
  const search = useSearch()
  const keep = (after: readonly View[]) => {
    setViews(after)
    if (after.length === 0) localStorage.removeItem(storageOf(screen))
    else localStorage.setItem(storageOf(screen), JSON.stringify(after))
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    const named = name.trim()
    if (named === '') return
    const others = views.filter((view) => view.name !== named)
    keep([{ name: named, search }, ...others].slice(0, viewsMax))
    setName('')
  }
  return (
    <Menu position="bottom-end" width={280} transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconBookmark size={14} />}>
          {i18n.t('Views')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {views.length === 0 && <Menu.Label>{i18n.t('No saved view yet')}</Menu.Label>}
        {views.map((view) => (
          <Menu.Item
            key={view.name}
            onClick={() => goTo(view.search === '' ? location : `${location}?${view.search}`)}
          >
            {view.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Box component="form" px="xs" py="2xs" onSubmit={save}>
          <TextInput
            size="xs"
            label={i18n.t('Save these filters as')}
            maxLength={nameMax}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            // The menu would take letters as a search among its items.
            onKeyDown={(event) => event.stopPropagation()}
          />
          <Button type="submit" mt={6} fullWidth variant="default">
            {i18n.t('Save')}
          </Button>
        </Box>
        {views.length > 0 && (
          <Menu.Item leftSection={<IconX size={14} />} onClick={() => keep([])}>
            {i18n.t('Delete all saved views')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
