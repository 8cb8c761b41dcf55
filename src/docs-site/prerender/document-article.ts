import GithubSlugger from 'github-slugger'
import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import http from 'highlight.js/lib/languages/http'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import yaml from 'highlight.js/lib/languages/yaml'
import { Marked, type Tokens } from 'marked'
import {
  type ApiDocument,
  type DocumentArticle,
  type Heading,
  pathOfDocument,
  type Sample,
  type Section,
  type Surroundings,
} from '../site-page.ts'
import { operationOfCall, referenceAddress } from './reference-address.ts'
import { sampleOf } from './sample.ts'

/** The names that the documents use. */
const languages = { sh: bash, http, js: javascript, json, php, python, sql, ts: typescript, yaml }
for (const [name, language] of Object.entries(languages)) {
  highlighter.registerLanguage(name, language)
}

/**
 * Renders a document. Headings have the ids that GitHub gives them, so that a link to one works in
 * both places.
 */
export function articleOf(
  file: string,
  markdown: string,
  surroundings: Surroundings,
): DocumentArticle {
  const slugger = new GithubSlugger()
  const headings: Heading[] = []
  const samples: Sample[] = []
  const marked = new Marked({
    renderer: {
      heading({ depth, tokens }) {
        const words = this.parser.parseInline(tokens, this.parser.textRenderer)
        const text = unescaped(words)
        const id = slugger.slug(text)
        headings.push({ id, text, level: depth })
        const content = this.parser.parseInline(tokens)
        const anchor = `<a class="anchor" href="#${id}" aria-label="Link to “${words}”">#</a>`
        return `<h${depth} id="${id}">${content}${depth === 1 ? '' : anchor}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens)
        const address = addressOfLink(file, href, surroundings)
        return address === null ? content : `<a href="${address}">${content}</a>`
      },
      code(block) {
        const sample = sampleOf(block.lang ?? '', block.text)
        if (block.lang === 'mermaid') return diagram(block)
        if (sample === null) return codeBlock(block)
        samples.push(sample)
        const place = `<div class="sample" data-sample="${samples.length - 1}"></div>`
        return withVariables(codeBlock(block)) + referenceLink(sample, surroundings.api) + place
      },
    },
  })
  // A wide table scrolls by itself, also with the keyboard.
  const html = String(marked.parse(markdown))
    .replaceAll(
      '<table>',
      '<div class="wide-table" tabindex="0" role="region" aria-label="Table"><table>',
    )
    .replaceAll('</table>', '</table></div>')
  // Where the reader signs in, if samples run.
  const live = samples.length === 0 ? html : html.replace('<h2', '<div id="session"></div>\n<h2')
  const [first] = headings
  if (first?.level !== 1) throw new Error(`docs/${file} does not begin with a title.`)
  return { title: first.text, html: live, headings, samples, sections: sectionsOf(html) }
}

/** Null: the link leads to a file of the repository that is not on the site. */
function addressOfLink(
  file: string,
  href: string,
  { exists }: Pick<Surroundings, 'exists'>,
): string | null {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href
  const [path = '', fragment] = href.split('#')
  const target = new URL(path, `file:///${file}`).pathname.slice(1)
  if (!exists(target)) return null
  const address = target === 'openapi.json' ? '/openapi.json' : `/docs/${pathOfDocument(target)}`
  return fragment === undefined ? address : `${address}#${fragment}`
}

/** Drawing it would take a library in the browser; what it shows is in a table beside it too. */
function diagram(block: Tokens.Code): string {
  const source = codeBlock(block)
  return `<details class="diagram"><summary>The diagram, as Mermaid text</summary>${source}</details>\n`
}

function codeBlock({ text, lang = '' }: Tokens.Code): string {
  const [language = ''] = lang.split(' ')
  const isKnown = highlighter.getLanguage(language) !== undefined
  const code = isKnown ? highlighter.highlight(text, { language }).value : escaped(text)
  const name = language === '' ? 'Code' : `Code: ${language}`
  return (
    `<div class="code"><pre tabindex="0" role="region" aria-label="${name}"><code>${code}</code></pre>` +
    `<button type="button" class="copy-code">Copy</button></div>\n`
  )
}

/** Leads to the same call in the reference, which shows it in other languages too. */
function referenceLink(sample: Sample, api: ApiDocument): string {
  const operation = operationOfCall(api, sample)
  if (operation === null) throw new Error(`The API has no ${sample.method} ${sample.path}.`)
  const { summary } = operation
  const address = referenceAddress(operation)
  return `<p class="in-reference">In the reference: <a href="${address}">${escaped(summary)}</a></p>\n`
}

/** The page puts the reader's values in the place of a sample's variables. */
function withVariables(html: string): string {
  return html.replace(/\$([A-Z][A-Z_]+)/g, '<span class="variable" data-variable="$1">$$$1</span>')
}

/** The text between two headings, under the first of them. */
function sectionsOf(html: string): readonly Section[] {
  return html
    .split(/(?=<h[1-6] id=")/)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [whole = '', id = '', heading = ''] =
        /^<h\d id="([^"]*)">(.*?)<\/h\d>/s.exec(part) ?? []
      const title = heading.replace(/<a class="anchor".*$/s, '')
      return { id, heading: plain(title), text: plain(part.slice(whole.length)) }
    })
}

function plain(html: string): string {
  const text = html
    .replace(/<button[^>]*>.*?<\/button>/gs, ' ')
    .replace(/<\/?(p|li|tr|td|th|div|pre|h\d|br)\b[^>]*>/g, ' ')
    .replace(/<[^>]+>/g, '')
  return unescaped(text).replace(/\s+/g, ' ').trim()
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function unescaped(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
}
