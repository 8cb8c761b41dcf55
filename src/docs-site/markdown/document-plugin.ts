import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HastNode, HastPluginDefinition, HastVisitorContext } from 'satteri'
import { drawDiagram } from '../build/draw-diagram.ts'
import { documentSources } from '../build/folders.ts'
import { pathOfDocument, type Sample } from '../site-page.ts'
import { api } from './api-document.ts'
import { codeBlock } from './code-block.ts'
import { escaped } from './html-text.ts'
import { languageTabs } from './language-tabs.ts'
import { operationOfCall, referenceAddress } from './reference-address.ts'
import { sampleOf } from './sample.ts'
import { programIn, programsOf, variablesOf } from './sample-programs.ts'

type Element = Extract<HastNode, { type: 'element' }>
type Visited = Readonly<Element>

/** Marks the place of the sign-in form in documents with runnable samples. */
const signIn = '<!-- sign in -->'
const headings = ['h1', 'h2', 'h3', 'h4']

/** What the site adds to a document: its own addresses, samples that run, diagrams, wide tables that scroll. */
export function documentPlugin({ fileURL, source }: DocumentContext): HastPluginDefinition | null {
  if (fileURL === undefined) return null
  const file = relative(documentSources, fileURLToPath(fileURL)).replaceAll('\\', '/')
  const samples: Sample[] = []
  let heading = file
  return {
    name: 'document',
    element: [
      {
        filter: headings,
        visit: (node, ctx) => {
          heading = ctx.textContent(node)
        },
      },
      { filter: ['a'], visit: (node, ctx) => fitLink(file, node, ctx) },
      { filter: ['table'], visit: (node, ctx) => ctx.wrapNode(node, wideTable) },
      {
        filter: ['pre'],
        visit: (node, ctx) => {
          const { text, language, info } = codeOf(node, ctx)
          if (isTab(info)) return withTabs(node, ctx)
          if (language === 'mermaid') return raw(diagram(text, `Diagram: ${heading}`))
          const sample = sampleOf(info, text)
          if (sample === null) return raw(codeBlock(text, language))
          return raw(runnable(sample, text, samples.push(sample) - 1))
        },
      },
    ],
    raw: ({ value }) => (value.includes(signIn) ? raw('<div id="session"></div>') : undefined),
    after: (_, { data }) => {
      if (samples.length > 0 && !source.includes(signIn))
        throw new Error(
          `docs/${file} has samples that run: say with ${signIn} where readers sign in.`,
        )
      if (data.astro !== undefined) data.astro.frontmatter.samples = samples
    },
  }
}

type DocumentContext = { readonly fileURL: URL | undefined; readonly source: string }

const raw = (value: string): HastNode => ({ type: 'raw', value })

/** Wide tables scroll, also with the keyboard. */
const wideTable: Element = {
  type: 'element',
  tagName: 'div',
  properties: { className: ['wide-table'], tabIndex: 0, role: 'region', ariaLabel: 'Table' },
  children: [],
}

function codeOf(node: Visited, ctx: HastVisitorContext) {
  const [code] = node.children
  const { className = [] } = (code?.type === 'element' && code.properties) || {}
  const [, language = ''] = /^language-(.*)/.exec(String([className].flat()[0] ?? '')) ?? []
  const meta = (code?.data as { readonly meta?: string } | undefined)?.meta ?? ''
  return { text: ctx.textContent(node).replace(/\n$/, ''), language, info: `${language} ${meta}` }
}

const isTab = (info: string) => info.split(' ').includes('tab')

/** Blocks marked `tab` that follow one another are one sample in several languages. */
function withTabs(node: Visited, ctx: HastVisitorContext): HastNode | undefined {
  const around: readonly HastNode[] = ctx.parent(node)?.children ?? []
  const blocks = around.filter((each) => each.type === 'element')
  const at = ctx.indexOf(node)
  const own = blocks.findIndex((block) => ctx.indexOf(block) === at)
  const isMarked = (block: Visited | undefined) =>
    block?.tagName === 'pre' && isTab(codeOf(block, ctx).info)
  if (isMarked(blocks[own - 1])) return void ctx.removeNode(node)
  const end = blocks.findIndex((block, index) => index > own && !isMarked(block))
  const programs = blocks.slice(own, end === -1 ? undefined : end).map((block) => {
    const { text, language } = codeOf(block, ctx)
    return programIn(language, text)
  })
  return raw(languageTabs({ programs, variables: [], id: `code-${at}` }))
}

/** Links to other documents lead to their pages. A link to a file that is not on the site is only its text. */
function fitLink(file: string, node: Visited, ctx: HastVisitorContext): void {
  const href = String(node.properties.href ?? '')
  if (/^(https?:|mailto:|#|\/)/.test(href)) return
  const [path = '', fragment] = href.split('#')
  const target = new URL(path, `file:///${file}`).pathname.slice(1)
  const known = !href.startsWith('../../') && existsSync(join(documentSources, target))
  if (!known) {
    ctx.replaceNode(node, [...node.children] as HastNode[])
    return
  }
  const address = target === 'openapi.json' ? '/openapi.json' : `/docs/${pathOfDocument(target)}`
  ctx.setProperty(node, 'href', fragment === undefined ? address : `${address}#${fragment}`)
}

/** A scrollable diagram, with its text for readers who cannot see it. */
function diagram(text: string, name: string): string {
  return (
    `<div class="diagram"><div class="wide-diagram" tabindex="0" role="region" aria-label="Diagram">${drawDiagram(text, name)}</div>` +
    `<details><summary>The diagram as Mermaid text</summary>${codeBlock(text, '')}</details></div>\n`
  )
}

/** A sample in each language, a link to its operation in the reference, and a place to run it. */
function runnable(sample: Sample, command: string, index: number): string {
  const { operation } = operationOfCall(api, sample)
  const programs = programsOf(command, sample, api)
  const tabs = languageTabs({ programs, variables: variablesOf(sample), id: `sample-${index}` })
  return (
    `${tabs}<p class="in-reference">In the reference: <a href="${referenceAddress(operation)}">${escaped(operation.summary)}</a></p>\n` +
    `<div class="sample not-content" data-sample="${index}"></div>`
  )
}
