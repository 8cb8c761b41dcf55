import GithubSlugger from 'github-slugger'
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
import { codeBlock } from './code-block.ts'
import { escaped, plain, unescaped } from './html-text.ts'
import { languageTabs } from './language-tabs.ts'
import { operationOfCall, referenceAddress } from './reference-address.ts'
import { sampleOf } from './sample.ts'
import { programsOf, variablesOf } from './sample-programs.ts'

/**
 * Renders a document. Headings have the same ids as on GitHub, so that links work in both places.
 */
export function articleOf(
  file: string,
  markdown: string,
  surroundings: Surroundings,
): DocumentArticle {
  const slugger = new GithubSlugger()
  const headings: Heading[] = []
  const samples: Sample[] = []
  const tabs: string[] = []
  const commands: string[] = []
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
        if (block.lang === 'mermaid') {
          const name = `Diagram: ${headings.at(-1)?.text ?? file}`
          return diagram(block, surroundings.drawDiagram(block.text, name))
        }
        if (sample === null) return codeBlock(block.text, languageOf(block))
        const index = samples.push(sample) - 1
        const programs = programsOf(block.text, sample, surroundings.api)
        const variables = variablesOf(sample)
        commands.push(codeBlock(block.text, 'sh'))
        tabs.push(languageTabs({ programs, variables, id: `sample-${index}` }))
        const place = `<div class="sample" data-sample="${index}"></div>`
        return placeOf(index) + referenceLink(sample, surroundings.api) + place
      },
    },
  })
  // Wide tables scroll, also with the keyboard.
  const html = String(marked.parse(markdown))
    .replaceAll(
      '<table>',
      '<div class="wide-table" tabindex="0" role="region" aria-label="Table"><table>',
    )
    .replaceAll('</table>', '</table></div>')
  const live = inPlace(html, tabs).replace(signIn, '<div id="session"></div>')
  if (samples.length > 0 && !html.includes(signIn))
    throw new Error(
      `docs/${file} has samples that run: say with ${signIn} where the reader signs in.`,
    )
  const [first] = headings
  if (first?.level !== 1) throw new Error(`docs/${file} does not begin with a title.`)
  // The search indexes only the curl version of each sample.
  const sections = sectionsOf(inPlace(html, commands))
  return { title: first.text, html: live, headings, samples, sections }
}

/** Null if the link points to a file of the repository that is not on the site. */
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

/** A scrollable diagram, with its text for readers who cannot see it. */
function diagram({ text }: Tokens.Code, drawing: string): string {
  return (
    `<div class="diagram"><div class="wide-diagram" tabindex="0" role="region" aria-label="Diagram">${drawing}</div>` +
    `<details><summary>The diagram as Mermaid text</summary>${codeBlock(text, '')}</details></div>\n`
  )
}

function languageOf({ lang = '' }: Tokens.Code): string {
  const [language = ''] = lang.split(' ')
  return language
}

/** Marks the place of the sign-in form in documents with runnable samples. */
const signIn = '<!-- sign in -->'

/** Marks the place of a sample. */
const placeOf = (index: number) => `<!--sample ${index}-->`

const inPlace = (html: string, samples: readonly string[]) =>
  samples.reduce((all, each, index) => all.replace(placeOf(index), () => each), html)

/** A link to the same operation in the reference. */
function referenceLink(sample: Sample, api: ApiDocument): string {
  const { operation } = operationOfCall(api, sample)
  const address = referenceAddress(operation)
  return `<p class="in-reference">In the reference: <a href="${address}">${escaped(operation.summary)}</a></p>\n`
}

/** Splits the HTML into sections by heading. */
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
