/** A style attribute in markup. In text content, `<` is escaped. */
const styleAttribute = /(<[a-z][^<>]*?) style="/g

/**
 * Makes the renderer of the reference fit the page. It writes style elements and sets style
 * attributes as text, which the content security policy refuses: both go through the style
 * interfaces that scripts may use. The policy itself is not relaxed. Its main element would be
 * inside the page's own.
 */
export function fitRenderer(): void {
  const createElement = document.createElement.bind(document)
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    if (name !== 'style') return createElement(name === 'main' ? 'div' : name, options)
    // It holds the text that the style element would. The caller writes it before it returns.
    const text = createElement('template')
    queueMicrotask(() => adopt(text))
    return text
  }
  const { setAttribute } = Element.prototype
  Element.prototype.setAttribute = function (name, value) {
    if (name === 'style' && this instanceof HTMLElement) this.style.cssText = value
    else setAttribute.call(this, name, value)
  }
  const markup = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML')
  Object.defineProperty(Element.prototype, 'innerHTML', {
    ...markup,
    set(this: Element, html: string) {
      markup?.set?.call(this, String(html).replaceAll(styleAttribute, '$1 data-style="'))
      const inside = this instanceof HTMLTemplateElement ? this.content : this
      for (const element of inside.querySelectorAll<HTMLElement>('[data-style]')) {
        element.style.cssText = element.dataset.style ?? ''
        element.removeAttribute('data-style')
      }
    },
  })
}

function adopt(text: HTMLElement): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text.textContent)
  document.adoptedStyleSheets.push(sheet)
}
