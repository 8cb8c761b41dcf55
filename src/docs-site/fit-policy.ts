/** A style attribute in markup. In text content, `<` is escaped. */
const styleAttribute = /(<[a-z][^<>]*?) style="/g

/**
 * Makes third-party code comply with the page's content security policy, which allows style
 * elements with the response's nonce and declarations set through the CSSOM. New style elements get
 * the nonce, and style attributes set as text become declarations. The policy itself is not
 * relaxed.
 */
export function fitPolicy(nonce: string): void {
  const createElement = document.createElement.bind(document)
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = createElement(name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
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
