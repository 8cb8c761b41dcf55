import type { Block, Cell, Column, Report } from '../report.ts'
import { printable } from './font.ts'
import { printTexts } from './print-texts.ts'

/* The layout of a report on A4 for pdfmake. Sizes are in points. */

type Content = { readonly [name: string]: unknown }
type PageNode = { readonly headlineLevel?: number }
type Nodes = { getFollowingNodesOnPage(): readonly unknown[] }

const margin = 40
const titleSize = 18
const headingSize = 12
const textSize = 9
const cellSize = 7.5
const footerSize = 7
const grey = '#5f6368'
const lightGrey = '#f1f3f4'
const lineGrey = '#c6cacf'
const factNameWidth = 110

export function documentOf(report: Report): Content {
  const footer = printable(report.footer)
  return {
    pageSize: 'A4',
    language: report.language,
    pageMargins: [margin, margin, margin, margin + 10],
    info: {
      title: printable(`${report.title} ${report.subtitle}`),
      creationDate: report.madeAt,
      modDate: report.madeAt,
    },
    defaultStyle: { font: 'Roboto', fontSize: textSize, lineHeight: 1.15 },
    content: [
      { text: printable(report.title), fontSize: titleSize, bold: true },
      { text: printable(report.subtitle), color: grey, margin: [0, 2, 0, 8] },
      ...report.blocks.map(contentOf),
    ],
    footer: (page: number, pages: number) => ({
      margin: [margin, 14, margin, 0],
      fontSize: footerSize,
      color: grey,
      columns: [
        { text: footer, width: '*' },
        { text: printTexts[report.language].page(page, pages), alignment: 'right', width: 70 },
      ],
    }),
    // A heading stays on one page with the block after it.
    pageBreakBefore: (node: PageNode, nodes: Nodes) => {
      const isHeading = node.headlineLevel === 1
      return isHeading && nodes.getFollowingNodesOnPage().length === 0
    },
  }
}

function contentOf(block: Block): Content {
  switch (block.kind) {
    case 'heading':
      return {
        text: printable(block.text),
        fontSize: headingSize,
        bold: true,
        headlineLevel: 1,
        margin: [0, 12, 0, 4],
      }
    case 'paragraph':
      return { text: printable(block.text), margin: [0, 0, 0, 5] }
    case 'list':
      return { ul: block.items.map(printable), margin: [0, 0, 0, 5] }
    case 'code':
      return {
        margin: [0, 0, 0, 5],
        layout: 'shaded',
        table: {
          widths: ['*'],
          body: [
            [{ stack: block.lines.map((line) => ({ text: printable(line) })), fontSize: cellSize }],
          ],
        },
      }
    case 'facts':
      return {
        margin: [0, 2, 0, 6],
        layout: 'facts',
        table: {
          widths: [factNameWidth, '*'],
          body: block.rows.map(([name, value]) => [
            { text: printable(name), color: grey },
            wrapped(value, inFacts),
          ]),
        },
      }
    case 'table':
      return tableOf(block)
  }
}

function tableOf({ columns, rows }: Extract<Block, { kind: 'table' }>): Content {
  return {
    margin: [0, 2, 0, 6],
    fontSize: cellSize,
    layout: 'rows',
    table: {
      headerRows: 1,
      dontBreakRows: true,
      keepWithHeaderRows: 1,
      widths: widthsOf(columns),
      body: [
        columns.map(({ title }) => ({ text: printable(title), bold: true, fillColor: lightGrey })),
        ...rows.map((row) => row.map(cellOf)),
      ],
    },
  }
}

const pageWidth = 595.28
/** The padding on each side of a cell. */
const cellPadding = 4

/** Columns without points share the remaining width. */
function widthsOf(columns: readonly Column[]): number[] {
  const fixed = columns.reduce((sum, column) => sum + ('points' in column ? column.points : 0), 0)
  const shares = columns.reduce((sum, column) => sum + ('share' in column ? column.share : 0), 0)
  const left = pageWidth - 2 * margin - 2 * cellPadding * columns.length - fixed
  return columns.map((column) =>
    'points' in column ? column.points : (left * column.share) / shares,
  )
}

function cellOf(cell: Cell): Content {
  if (typeof cell === 'string') return wrapped(cell)
  return {
    stack: cell.map((line, index) => ({
      ...wrapped(line),
      ...(index === 0 ? {} : { color: grey }),
    })),
  }
}

/**
 * In table cells: ids of the service are never broken; longer words break after `piece` characters.
 */
const inCells = { wordMax: 28, piece: 20 }
/** In facts: keys are longer than one line. */
const inFacts = { wordMax: 76, piece: 76 }

/** Makes long words breakable, because they may be wider than their column. */
function wrapped(text: string, { wordMax, piece } = inCells): { text: string } {
  const long = new RegExp(`\\S{${wordMax + 1},}`, 'gu')
  const pieces = new RegExp(`.{${piece}}(?=.)`, 'gu')
  return {
    text: printable(text).replace(long, (word) => word.replace(pieces, '$&\u200b')),
  }
}

export const tableLayouts = {
  rows: {
    hLineWidth: () => 0.5,
    vLineWidth: () => 0,
    hLineColor: () => lineGrey,
    paddingLeft: () => cellPadding,
    paddingRight: () => cellPadding,
    paddingTop: () => 3,
    paddingBottom: () => 3,
  },
  facts: {
    hLineWidth: () => 0,
    vLineWidth: () => 0,
    paddingLeft: () => 0,
    paddingRight: () => cellPadding,
    paddingTop: () => 1,
    paddingBottom: () => 1,
  },
  shaded: {
    hLineWidth: () => 0,
    vLineWidth: () => 0,
    fillColor: () => lightGrey,
    paddingLeft: () => cellPadding,
    paddingRight: () => cellPadding,
    paddingTop: () => cellPadding,
    paddingBottom: () => cellPadding,
  },
}
