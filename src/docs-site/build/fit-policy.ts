import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The file for the service: the digests of the inline scripts and styles of all pages. */
const inlineFile = 'inline.json'

/** How pages name the style sheet until it has its digest. */
export const fixedSheet = 'assets/fixed.css'

/** In a style sheet. */
const embeddedImage = /url\(["']?data:image\/svg\+xml(?:;utf8)?(;base64)?,(.*?)["']?\)(?=[;\s,}])/g
const openingTag = /<[a-z][^<>]*>/g
const inlineElement =
  /<(script|style)(?![^>]*(?: src=|type="application\/json"))[^>]*>(.*?)<\/\1>/gs

/**
 * Makes the built pages fit a strict content security policy. Style attributes become classes of
 * the style sheet that every page has, and images inside style sheets become files. Inline scripts
 * and styles are allowed by their digests.
 */
export async function fitPolicy(folder: string): Promise<void> {
  const digests = { script: new Set<string>(), style: new Set<string>() }
  const classes = new Map<string, string>()
  const classOf = (style: string): string => {
    const name = classes.get(style) ?? `fixed-${classes.size}`
    classes.set(style, name)
    return name
  }
  const files = await readdir(folder, { recursive: true })
  for (const sheet of files.filter((name) => name.endsWith('.css')))
    await withoutImages(join(folder, sheet))
  const pages = files
    .filter((name) => name.endsWith('.html'))
    .map((file) => {
      const html = readFileSync(join(folder, file), 'utf8')
      return [file, html.replace(openingTag, (tag) => withClass(tag, classOf))] as const
    })
  const rules = [...classes].map(([style, name]) => `.${name}{${style}}`).join('')
  const sheet = `assets/fixed.${digestOf(rules, 'hex').slice(0, 8)}.css`
  await writeFile(join(folder, sheet), rules)
  for (const [file, html] of pages) {
    for (const [, kind = '', text = ''] of html.matchAll(inlineElement))
      digests[kind as keyof typeof digests].add(`'sha256-${digestOf(text, 'base64')}'`)
    await writeFile(join(folder, file), html.replace(fixedSheet, sheet))
  }
  const inline = { scripts: [...digests.script], styles: [...digests.style] }
  await writeFile(join(folder, inlineFile), JSON.stringify(inline))
}

async function withoutImages(sheet: string): Promise<void> {
  const images = new Map<string, Buffer>()
  const css = readFileSync(sheet, 'utf8').replace(embeddedImage, (_, base64, content) => {
    const image = Buffer.from(
      decodeURIComponent(content).replace(/\\(.)/g, '$1'),
      base64 ? 'base64' : 'utf8',
    )
    const name = `image.${digestOf(image, 'hex').slice(0, 8)}.svg`
    images.set(name, image)
    return `url(${name})`
  })
  for (const [name, image] of images) await writeFile(join(dirname(sheet), name), image)
  if (images.size > 0) await writeFile(sheet, css)
}

const digestOf = (text: string | Buffer, encoding: 'hex' | 'base64') =>
  createHash('sha256').update(text).digest(encoding)

function withClass(tag: string, classOf: (style: string) => string): string {
  const [attribute = '', style] = / style="([^"]*)"/.exec(tag) ?? []
  if (style === undefined) return tag
  const bare = tag.replace(attribute, '')
  const name = classOf(style)
  return / class="/.test(bare)
    ? bare.replace(/ class="/, ` class="${name} `)
    : bare.replace(/^<[\w-]+/, (start) => `${start} class="${name}"`)
}
