import { renderMermaidSVG } from 'beautiful-mermaid'

/** In pixels. Dense, because the text column is narrow. */
const layout = { padding: 12, nodeSpacing: 18, layerSpacing: 30 }

/**
 * Renders Mermaid text as SVG. The page's style sheet sets colors and fonts: the content security
 * policy refuses the package's own styles, one of which loads a font from another host.
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
