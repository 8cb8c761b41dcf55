/** Without a color of the shop: a dark gray, which suits every shop. */
export const defaultAccent = '#3d4650'

/** The color of text on this one: black or white, whichever is easier to read (at least 4.5:1). */
export function textColorOn(accent: string): '#000000' | '#ffffff' {
  return contrast(accent, '#000000') > contrast(accent, '#ffffff') ? '#000000' : '#ffffff'
}

/** The contrast of two colors, from 1 to 21, as WCAG 2.2 defines it. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [
    number,
    number,
  ]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
