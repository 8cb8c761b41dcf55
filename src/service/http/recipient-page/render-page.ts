import { createHash } from 'node:crypto'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import type { Language } from '../../domain/language.ts'
import { Html, html } from './html.ts'
import type { PageContent } from './page-content.ts'
import { pageStyle } from './page-style.ts'
import { type PageTexts, pageTexts, type Told } from './page-texts.ts'
import { timeZone } from './peru-time.ts'

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', es: 'es-PE' }

export type RenderedPage = {
  readonly html: Buffer
  /** Of the one inline style, as the content security policy names it. */
  readonly styleDigest: string
  readonly etag: string
}

/** The page about a parcel. */
export function parcelPage(content: PageContent, language: Language): RenderedPage {
  const texts = pageTexts[language]
  const told = headline(content, texts)
  const { shop } = content
  const body = html`${content.isSandbox && html`<p class="test">${texts.sandbox}</p>`}
<header><div><p class="shop"><bdi>${shop.name}</bdi></p>${languageLink(language, texts)}</div></header>
<main>
<h1>${told.title}</h1>
<p class="lead">${told.text}</p>
${notes(content, texts)}
${content.expectedAt !== null && html`<p class="expected">${texts.expected(dayText(content.expectedAt, language))}</p>`}
${agencyCard(content, texts)}
${timeline(content, texts, language)}
${support(content, texts)}
</main>
<footer><p>${texts.timesIn} ${texts.about}</p></footer>`
  const title = `${told.title} · ${shop.name}`
  return page({ language, title, accent: shop.accent, body })
}

/** A page that says one thing, such as that a link leads nowhere. */
export function messagePage(message: keyof PageTexts['message'], language: Language): RenderedPage {
  const texts = pageTexts[language]
  const { title, text } = texts.message[message]
  const body = html`<header><div>${languageLink(language, texts)}</div></header>
<main>
<h1>${title}</h1>
<p class="lead">${text}</p>
</main>`
  return page({ language, title, accent: null, body })
}

type Page = {
  readonly language: Language
  readonly title: string
  readonly accent: string | null
  readonly body: Html
}

function page({ language, title, accent, body }: Page): RenderedPage {
  const style = pageStyle(accent)
  const { text } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
${body}
</body>
</html>
`
  const bytes = Buffer.from(text)
  return {
    html: bytes,
    styleDigest: createHash('sha256').update(style).digest('base64'),
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  }
}

/** Leads to the same page in the other language; the address of the page is not repeated in it. */
function languageLink(language: Language, { otherLanguage }: PageTexts): Html {
  const other = language === 'es' ? 'en' : 'es'
  return html`<a href="?lang=${other}" lang="${other}" hreflang="${other}">${otherLanguage}</a>`
}

function notes(content: PageContent, texts: PageTexts): readonly Html[] {
  const said = [
    overtakenText(content, texts),
    content.isCancelling ? texts.cancelling : null,
    content.isOutOfDate ? texts.outOfDate : null,
  ]
  return said.flatMap((text) => (text === null ? [] : html`<p class="note">${text}</p>`))
}

/** A trouble replaces the situation: after “on its way” nobody reads on. */
function headline({ situation, trouble }: PageContent, texts: PageTexts): Told {
  if (trouble === null || trouble.isOvertaken) return texts.situations[situation]
  const { title, text } = texts.troubles[trouble.code]
  return { title, text: trouble.mustAct ? `${text} ${texts.askShop}` : text }
}

function overtakenText({ trouble }: PageContent, texts: PageTexts): string | null {
  if (trouble?.isOvertaken !== true) return null
  const { title } = texts.troubles[trouble.code]
  return trouble.mustAct ? `${title}. ${texts.askShop}` : `${title}.`
}

function agencyCard({ agency, situation, trouble }: PageContent, texts: PageTexts): Html | null {
  if (agency === null) return null
  const isReady = situation === 'ready_for_pickup' && trouble?.isOvertaken !== false
  return html`<section aria-labelledby="agency">
<h2 id="agency">${texts.agency}</h2>
<address><strong>${agency.name}</strong>${agency.courier !== null && html`${agency.courier}<br>`}${agency.address}<br>${agency.area}</address>
${isReady && html`<p class="bring">${texts.bring}</p>`}
</section>`
}

function timeline({ steps, hasNews }: PageContent, texts: PageTexts, language: Language): Html {
  const items = steps.map(
    ({
      code,
      at,
      agency,
    }) => html`<li><strong>${code === null ? texts.registeredByShop : texts.scans[code]}</strong>${agency !== null && html`<span>${agency}</span>`}<time datetime="${rfc3339(at)}">${timeText(at, language)}</time></li>
`,
  )
  return html`<section aria-labelledby="journey">
<h2 id="journey">${texts.timeline}</h2>
${!hasNews && html`<p class="soft">${texts.noNews}</p>`}
${
  items.length > 0 &&
  html`<ol>
${items}</ol>`
}
</section>`
}

function support({ shop: { name, supportUrl } }: PageContent, texts: PageTexts): Html | null {
  if (supportUrl === null) return null
  const url = new URL(supportUrl)
  // Nothing is decoded: a character that cannot be seen could hide whose address it is.
  const [verb, target] =
    url.protocol === 'tel:'
      ? [texts.call, url.pathname]
      : url.protocol === 'mailto:'
        ? [texts.write, url.pathname]
        : [texts.visit, url.hostname]
  const [before, after] = texts.support
  return html`<p class="support">${before} <bdi>${name}</bdi> ${after} <a href="${supportUrl}" rel="noopener noreferrer">${verb} ${target}</a></p>`
}

const timeFormats = formats({ dateStyle: 'medium', timeStyle: 'short' })
const dayFormats = formats({ weekday: 'long', day: 'numeric', month: 'long' })

function formats(options: Intl.DateTimeFormatOptions) {
  const inLanguage = (language: Language) =>
    new Intl.DateTimeFormat(locales[language], { timeZone, ...options })
  return { en: inLanguage('en'), es: inLanguage('es') }
}

function timeText(at: Instant, language: Language): string {
  return timeFormats[language].format(at)
}

function dayText(at: Instant, language: Language): string {
  return dayFormats[language].format(at)
}
