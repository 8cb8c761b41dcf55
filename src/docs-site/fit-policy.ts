/**
 * Makes code of others fit the page's policy, which allows style elements with the nonce of the
 * answer and declarations that are set by the CSSOM. New style elements get the nonce, and a style
 * attribute that is set as text becomes declarations. Nothing that the policy refuses is allowed.
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
}
