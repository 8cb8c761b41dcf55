import { UnstyledButton } from '@mantine/core'
import { Spotlight, spotlight } from '@mantine/spotlight'
import IconSearch from '@tabler/icons-react/icons/IconSearch'
import MiniSearch from 'minisearch'
import { useState } from 'react'
import { type Passage, searchOptions } from './search-options.ts'

/** Readers look only at the first few. */
const resultsMax = 12

/** Searches the whole site in the browser. The index is loaded when the search is first opened. */
export function Search({ indexAddress }: { readonly indexAddress: string }) {
  const [index, setIndex] = useState<MiniSearch<Passage> | null>(null)
  const [isMissing, setMissing] = useState(false)
  const [typed, setTyped] = useState('')
  const load = async () => {
    if (index !== null) return
    try {
      const response = await fetch(indexAddress)
      setIndex(MiniSearch.loadJSON<Passage>(await response.text(), searchOptions))
    } catch {
      setMissing(true)
    }
  }
  return (
    <>
      <UnstyledButton className="search-button" onClick={spotlight.open}>
        <IconSearch size={16} aria-hidden />
        <span>Search</span>
        <kbd>Ctrl K</kbd>
      </UnstyledButton>
      <Spotlight.Root
        title="Search"
        shortcut={['mod + K', '/']}
        query={typed}
        onQueryChange={setTyped}
        onSpotlightOpen={() => void load()}
        scrollable
        maxHeight={480}
      >
        <Spotlight.Search
          type="search"
          aria-label="Search the documentation"
          placeholder="A word, an error, a field or a route"
          autoComplete="off"
          spellCheck={false}
        />
        <Results index={index} isMissing={isMissing} text={typed.trim()} />
      </Spotlight.Root>
    </>
  )
}

type ResultsProps = {
  readonly index: MiniSearch<Passage> | null
  readonly isMissing: boolean
  readonly text: string
}

function Results({ index, isMissing, text }: ResultsProps) {
  const found = index === null || text === '' ? [] : index.search(text).slice(0, resultsMax)
  const said = isMissing
    ? 'The search index could not be loaded. Reload the page.'
    : text !== '' && index === null
      ? 'Searching…'
      : text !== '' && found.length === 0
        ? `No results for “${text}”.`
        : ''
  return (
    <>
      <p className="search-said" role="status">
        {said}
      </p>
      <Spotlight.ActionsList>
        {found.map(({ id, title, heading, address, opening }) => (
          <Spotlight.Action
            key={id}
            label={heading === '' ? title : `${title}: ${heading}`}
            description={opening}
            onClick={() => window.location.assign(address)}
          />
        ))}
      </Spotlight.ActionsList>
    </>
  )
}
