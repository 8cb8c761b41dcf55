import t from 'tap'
import { type Language, languages } from '../../../src/service/domain/language.ts'
import { trackingCodes } from '../../../src/service/domain/tracking/tracking.ts'
import { contrast, textColorOn } from '../../../src/service/http/recipient-page/accent-color.ts'
import { html } from '../../../src/service/http/recipient-page/html.ts'
import type { PageContent } from '../../../src/service/http/recipient-page/page-content.ts'
import {
  pageTexts,
  situations,
  troubles,
} from '../../../src/service/http/recipient-page/page-texts.ts'
import { messagePage, parcelPage } from '../../../src/service/http/recipient-page/render-page.ts'

const at = Date.UTC(2026, 2, 3, 15, 15)
const plain: PageContent = {
  shop: { name: 'Tienda Norte', supportUrl: 'https://shop.example/help', accent: null },
  isSandbox: false,
  situation: 'in_transit',
  trouble: null,
  isCancelling: false,
  isOutOfDate: false,
  expectedAt: null,
  agency: { courier: 'Courier Sur', name: 'Agencia Cusco', address: 'Av. Sol 123', area: 'Cusco' },
  hasNews: true,
  steps: [{ code: 'in_transit', at, agency: 'Agencia Lima' }],
}
const shown = (content: Partial<PageContent>, language: Language = 'es') =>
  parcelPage({ ...plain, ...content }, language).html.toString()

t.test('a value is shown as text, whatever it contains', async (t) => {
  t.equal(
    html`<p title="${'"><script>'}">${"<b>&'`"}${null}${false}${[1, 'a']}</p>`.text,
    '<p title="&#34;&#62;&#60;script&#62;">&#60;b&#62;&#38;&#39;&#96;1a</p>',
  )
})

t.test('a hostile shop or courier adds no element and no attribute to the page', async (t) => {
  const evil = '"><img src=x onerror=alert(1)></style><script>alert(1)</script>\'`'
  const text = shown({
    shop: { name: evil, supportUrl: 'https://shop.example/?"onclick=alert(1)', accent: '#ff0000' },
    agency: { courier: evil, name: evil, address: evil, area: evil },
    steps: [{ code: 'in_transit', at, agency: evil }],
  })
  const opened = [...text.matchAll(/<\/?([a-z]+\d?)/gi)].map(([, name]) => name)
  const known = shown({})
  const expected = [...known.matchAll(/<\/?([a-z]+\d?)/gi)].map(([, name]) => name)
  t.same(opened, expected, 'the same elements as of a harmless shop')
  t.notMatch(text, /<img|<script|"onclick/)
})

t.test('every situation, scan and trouble has its words in both languages', async (t) => {
  for (const situation of situations) {
    const [es, en] = [pageTexts.es.situations[situation], pageTexts.en.situations[situation]]
    t.not(es.title, en.title)
    for (const language of languages) {
      const { title, text } = pageTexts[language].situations[situation]
      t.match(shown({ situation }, language), `<h1>${title}</h1>`)
      t.match(shown({ situation }, language), text)
    }
  }
  for (const code of Object.keys(trackingCodes) as (keyof typeof trackingCodes)[]) {
    t.match(shown({ steps: [{ code, at, agency: null }] }), pageTexts.es.scans[code])
  }
  const raising = Object.entries(trackingCodes).filter(
    ([, { exception }]) => exception === 'raised',
  )
  t.same(
    troubles,
    raising.map(([code]) => code),
  )
})

t.test('times are those of Peru, in words, and exact for programs', async (t) => {
  t.match(shown({}), '<time datetime="2026-03-03T15:15:00.000Z">3 mar. 2026')
  t.match(shown({}), '10:15')
  t.match(shown({}, 'en'), '3 Mar 2026, 10:15</time>')
  t.match(shown({ expectedAt: at }), 'Llegada prevista: martes')
})

t.test('a parcel to collect says what to bring, and where', async (t) => {
  const text = shown({ situation: 'ready_for_pickup' })
  t.match(text, pageTexts.es.bring)
  t.match(
    text,
    '<address><strong>Agencia Cusco</strong>Courier Sur<br>Av. Sol 123<br>Cusco</address>',
  )
  t.notMatch(shown({}), pageTexts.es.bring)
})

t.test('what is unusual is said, and only then', async (t) => {
  const { es } = pageTexts
  t.notMatch(shown({}), 'class="note"')
  const text = shown({ isCancelling: true, isOutOfDate: true })
  for (const said of [es.cancelling, es.outOfDate]) {
    t.match(text, `<p class="note">${said}</p>`)
  }
  t.match(shown({ isSandbox: true }), es.sandbox)
  t.match(shown({ hasNews: false, steps: [] }), es.noNews)
})

t.test('what is wrong with a parcel is its title, not that it is on its way', async (t) => {
  for (const language of languages) {
    const texts = pageTexts[language]
    for (const code of troubles) {
      const { title, text } = texts.troubles[code]
      for (const situation of ['in_transit', 'ready_for_pickup'] as const) {
        const trouble = { code, mustAct: false, isOvertaken: false }
        const page = shown({ situation, trouble }, language)
        t.match(page, `<title>${title} ·`)
        t.match(page, `<h1>${title}</h1>\n<p class="lead">${text}</p>`)
        t.notMatch(page, texts.situations[situation].title)
        t.notMatch(page, texts.situations[situation].text)
        t.notMatch(page, texts.bring)
      }
      const acting = shown({ trouble: { code, mustAct: true, isOvertaken: false } }, language)
      t.match(acting, `<p class="lead">${text} ${texts.askShop}</p>`)
    }
    const trouble = { code: 'delayed', mustAct: true, isOvertaken: true } as const
    const near = shown({ situation: 'ready_for_pickup', trouble }, language)
    t.match(near, `<h1>${texts.situations.ready_for_pickup.title}</h1>`)
    t.match(near, `<p class="note">${texts.troubles.delayed.title}. ${texts.askShop}</p>`)
    t.match(near, texts.bring)
  }
})

t.test('a support link is shown for each kind of address', async (t) => {
  const link = (supportUrl: string) => shown({ shop: { ...plain.shop, supportUrl } })
  t.match(link('https://shop.example/help'), '>Ayuda en shop.example</a>')
  t.match(link('mailto:ayuda@shop.example?subject=Hola'), '>Escribir a ayuda@shop.example</a>')
  t.match(link('tel:+5115551234'), '>Llamar al +5115551234</a>')
  t.match(link('mailto:%e2%80%aea@b.example'), '>Escribir a %e2%80%aea@b.example</a>')
  t.notMatch(shown({ shop: { ...plain.shop, supportUrl: null } }), 'rel="noopener')
  t.match(shown({}), '<p class="shop"><bdi>Tienda Norte</bdi></p>')
  t.match(shown({}), '¿Tiene una pregunta? <bdi>Tienda Norte</bdi> puede ayudarle. <a')
})

t.test('text on the color of any shop can be read', async (t) => {
  for (const red of [0, 64, 118, 128, 192, 255]) {
    for (const green of [0, 64, 118, 128, 192, 255]) {
      for (const blue of [0, 64, 118, 128, 192, 255]) {
        const color = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
        const ratio = contrast(color, textColorOn(color))
        if (ratio < 4.5) t.fail(`${color} ${ratio}`)
      }
    }
  }
  t.match(
    shown({ shop: { ...plain.shop, accent: '#ffe600' } }),
    '--accent:#ffe600;--on-accent:#000000',
  )
})

t.test('a page needs no script and no other file', async (t) => {
  for (const page of [shown({}), messagePage('unknown', 'en').html.toString()]) {
    t.notMatch(page, /<script|<link|<img|@import|url\(|style=/)
    t.match(page, '<meta name="robots" content="noindex, nofollow">')
    t.notMatch(page, /<(p|h1|strong|bdi)[^>]*><\//, 'nothing is empty')
    t.match(page, /^<!doctype html>\n<html lang="e[sn]">/)
  }
})
