import { renderMermaidSVG } from 'beautiful-mermaid'

/** In pixels. The text column is narrow, and the drawing has a frame of its own in the page. */
const layout = { padding: 12, nodeSpacing: 18, layerSpacing: 30 }

/**
 * Draws Mermaid text as SVG for a page. The page's style sheet gives it its colors and its font: the
 * policy refuses the styles that the package writes, and one of them loads a font from another host.
 */
export function drawDiagram(source: string, name: string): string {
  const svg = renderMermaidSVG(source, { transparent: true, ...layout })
    .replace(/<style>[\s\S]*?<\/style>\s*/, '')
    .replace(
      /^<svg([^>]*?) style="[^"]*"/,
      `<svg$1 class="drawing" role="img" aria-label="${name}"`,
    )
  if (
    !svg.includes('class="drawing"') ||
    /<style|<script|\sstyle=|https?:(?!\/\/www\.w3\.org\/)/.test(svg)
  ) {
    throw new Error(`The diagram “${name}” would not fit the policy of the pages.`)
  }
  return svg
}
