import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Loader } from 'astro/loaders'
import { documentSources } from '../build/folders.ts'
import { pathOfDocument } from '../site-page.ts'

/** Every Markdown file of the folder `docs`. Its title is its first heading, as on GitHub. */
export const documents: Loader = {
  name: 'documents',
  load: async ({ store, parseData, renderMarkdown }) => {
    store.clear()
    const files = await readdir(documentSources, { recursive: true })
    for (const name of files.filter((each) => each.endsWith('.md')).sort()) {
      const file = name.replaceAll('\\', '/')
      const path = join(documentSources, name)
      const body = await readFile(path, 'utf8')
      const [, title] = /^# (.+)$/m.exec(body) ?? []
      if (title === undefined) throw new Error(`docs/${file} does not begin with a title.`)
      const id = pathOfDocument(file)
      const rendered = await renderMarkdown(body, { fileURL: pathToFileURL(path) })
      const { samples } = rendered.metadata?.frontmatter ?? {}
      const tableOfContents = contentsOf(rendered.metadata?.headings ?? [])
      const data = await parseData({ id, data: { title, file, samples, tableOfContents } })
      store.set({ id, data, body, rendered, filePath: `docs/${file}` })
    }
  },
}

/** With more headings, only the sections are listed. */
const headingsMax = 90

/** A single heading needs no table of contents. */
function contentsOf(headings: readonly { readonly depth: number }[]) {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3)
  return shown.length > 1 && { maxHeadingLevel: shown.length > headingsMax ? 2 : 3 }
}
