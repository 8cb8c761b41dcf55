import { counted, type Language } from '../../domain/language.ts'

/** The sentences of a claim that have values. A time that is not known is null. */
type ClaimSentences = {
  readonly subtitle: (reference: string) => string
  readonly subtitleInTestMode: (reference: string) => string
  readonly footer: (reference: string, madeAt: string) => string
  readonly period: (from: string, to: string) => string
  readonly account: (courier: string, name: string) => string
  readonly lines: (disputed: number) => string
  readonly linesOf: (disputed: number, all: number) => string
  readonly sumOf: (sum: string, lines: number) => string
  readonly route: (from: string, to: string) => string
}

/** One sentence for each finding. A time or weight that is not known is null. */
type ProofSentences = {
  readonly amountDiffers: (issuedAt: string | null, expected: string) => string
  readonly cashDiffers: (issuedAt: string | null, expected: string) => string
  readonly weightDiffers: (kilograms: string, billed: string | null) => string
  readonly cashPaidBefore: string
  readonly billedBefore: string
  readonly billedBeforeHere: (line: number) => string
  readonly billedBeforeElsewhere: string
  readonly billedBeforeIn: (line: number, reference: string) => string
  readonly cancelled: (at: string | null) => string
  readonly nothingCreated: (at: string | null) => string
  readonly unknownGuide: string
  readonly unresolved: string
  readonly partOf: (line: string) => string
  readonly matched: string
  readonly notCompared: string
}

export type ClaimTexts = ClaimSentences & {
  readonly title: string
  readonly disputedLines: string
  readonly evidence: string
  readonly evidenceApart: string
  readonly evidenceInside: string
  readonly facts: Readonly<
    Record<
      'invoice' | 'period' | 'from' | 'to' | 'disputed' | 'billed' | 'paidOut' | 'claimed',
      string
    >
  >
  readonly columns: Readonly<
    Record<'line' | 'guide' | 'order' | 'billed' | 'expected' | 'claimed' | 'proof', string>
  >
  readonly total: string
  /** Beside an amount of cash on delivery. */
  readonly paidOut: string
  /** What should have been billed. */
  readonly expectedNothing: string
  readonly proof: ProofSentences
}

const english: ClaimTexts = {
  title: 'Claim about an invoice',
  subtitle: (reference) => `Invoice ${reference}`,
  subtitleInTestMode: (reference) => `Invoice ${reference} · test mode: a simulated courier`,
  footer: (reference, madeAt) => `Claim about invoice ${reference} · made ${madeAt}`,
  disputedLines: 'Disputed lines',
  evidence: 'Evidence',
  evidenceApart: 'The history of each shipment with its proofs is available as a separate file.',
  evidenceInside:
    'README.md, in the same file as this page, names the folder of each line. It contains the history of the shipment with its proofs, and says how to check them.',
  facts: {
    invoice: 'Invoice',
    period: 'Period',
    from: 'From',
    to: 'To',
    disputed: 'Disputed',
    billed: 'Billed for them',
    paidOut: 'Cash on delivery paid out',
    claimed: 'Claimed in all',
  },
  period: (from, to) => `${from} to ${to}`,
  account: (courier, name) => `${courier}, account “${name}”`,
  lines: (disputed) => counted(disputed, 'line', 'lines'),
  linesOf: (disputed, all) => `${disputed} of ${counted(all, 'line', 'lines')} in this file`,
  columns: {
    line: 'Line',
    guide: 'Guide',
    order: 'Order',
    billed: 'Billed',
    expected: 'Expected',
    claimed: 'Claimed',
    proof: 'Proof',
  },
  total: 'Total',
  paidOut: 'paid out',
  expectedNothing: 'nothing',
  sumOf: (sum, lines) => `${sum} on ${lines} lines`,
  route: (from, to) => `From ${from} to ${to}.`,
  proof: {
    amountDiffers: (issuedAt, expected) =>
      issuedAt === null
        ? `The guide was issued for ${expected}.`
        : `The guide was issued on ${issuedAt} for ${expected}.`,
    cashDiffers: (issuedAt, expected) =>
      issuedAt === null
        ? `The guide was issued with ${expected} to collect on delivery.`
        : `The guide was issued on ${issuedAt} with ${expected} to collect on delivery.`,
    weightDiffers: (kilograms, billed) =>
      billed === null
        ? `The guide was issued for ${kilograms} kg.`
        : `The guide was issued for ${kilograms} kg, and is billed for ${billed} kg.`,
    cashPaidBefore: 'An earlier line already pays out all of the cash on delivery.',
    billedBefore: 'An earlier line already bills the guide in full.',
    billedBeforeHere: (line) => `Line ${line} of this invoice already bills the guide in full.`,
    billedBeforeElsewhere: 'An earlier invoice already bills the guide in full.',
    billedBeforeIn: (line, reference) =>
      `Line ${line} of invoice ${reference} already bills the guide in full.`,
    cancelled: (at) =>
      at === null ? 'The guide was cancelled.' : `The guide was cancelled on ${at}.`,
    nothingCreated: (at) =>
      at === null
        ? 'The order ended without a guide.'
        : `The order ended without a guide on ${at}.`,
    unknownGuide: 'No guide with this number was ever ordered or received.',
    unresolved: 'Whether this order has a guide was never confirmed.',
    partOf: (line) => `It is one of the amounts of this guide that line ${line} sums up.`,
    matched: 'The line agrees with the ledger, and was disputed for another reason.',
    notCompared: 'The line was not compared.',
  },
}

const spanish: ClaimTexts = {
  title: 'Reclamo sobre una factura',
  subtitle: (reference) => `Factura ${reference}`,
  subtitleInTestMode: (reference) => `Factura ${reference} · modo de prueba: un courier simulado`,
  footer: (reference, madeAt) => `Reclamo sobre la factura ${reference} · hecho el ${madeAt}`,
  disputedLines: 'Líneas objetadas',
  evidence: 'Evidencia',
  evidenceApart:
    'La historia de cada envío, con sus pruebas, está disponible en un archivo aparte.',
  evidenceInside:
    'README.md, en el mismo archivo que esta página, indica la carpeta de cada línea. La carpeta contiene la historia del envío con sus pruebas y explica cómo comprobarlas.',
  facts: {
    invoice: 'Factura',
    period: 'Periodo',
    from: 'De',
    to: 'Para',
    disputed: 'Objetado',
    billed: 'Facturado por ellas',
    paidOut: 'Contra entrega abonado',
    claimed: 'Total reclamado',
  },
  period: (from, to) => `del ${from} al ${to}`,
  account: (courier, name) => `${courier}, cuenta “${name}”`,
  lines: (disputed) => counted(disputed, 'línea', 'líneas'),
  linesOf: (disputed, all) => `${disputed} de ${counted(all, 'línea', 'líneas')} de este archivo`,
  columns: {
    line: 'Línea',
    guide: 'Guía',
    order: 'Pedido',
    billed: 'Facturado',
    expected: 'Esperado',
    claimed: 'Reclamado',
    proof: 'Sustento',
  },
  total: 'Total',
  paidOut: 'abonado',
  expectedNothing: 'nada',
  sumOf: (sum, lines) => `${sum} en ${lines} líneas`,
  route: (from, to) => `De ${from} a ${to}.`,
  proof: {
    amountDiffers: (issuedAt, expected) =>
      issuedAt === null
        ? `La guía se emitió por ${expected}.`
        : `La guía se emitió el ${issuedAt} por ${expected}.`,
    cashDiffers: (issuedAt, expected) =>
      issuedAt === null
        ? `La guía se emitió con ${expected} por cobrar contra entrega.`
        : `La guía se emitió el ${issuedAt} con ${expected} por cobrar contra entrega.`,
    weightDiffers: (kilograms, billed) =>
      billed === null
        ? `La guía se emitió por ${kilograms} kg.`
        : `La guía se emitió por ${kilograms} kg y se factura por ${billed} kg.`,
    cashPaidBefore: 'Una línea anterior ya abona todo el contra entrega.',
    billedBefore: 'Una línea anterior ya cobra la guía completa.',
    billedBeforeHere: (line) => `La línea ${line} de esta factura ya cobra la guía completa.`,
    billedBeforeElsewhere: 'Una factura anterior ya cobra la guía completa.',
    billedBeforeIn: (line, reference) =>
      `La línea ${line} de la factura ${reference} ya cobra la guía completa.`,
    cancelled: (at) => (at === null ? 'La guía fue anulada.' : `La guía fue anulada el ${at}.`),
    nothingCreated: (at) =>
      at === null ? 'El pedido terminó sin guía.' : `El pedido terminó sin guía el ${at}.`,
    unknownGuide: 'Nunca se pidió ni se recibió una guía con este número.',
    unresolved: 'Nunca se confirmó si este pedido tiene una guía.',
    partOf: (line) => `Es uno de los importes de esta guía que suma la línea ${line}.`,
    matched: 'La línea coincide con el registro y se objeta por otro motivo.',
    notCompared: 'La línea no se comparó.',
  },
}

export const claimTexts: Readonly<Record<Language, ClaimTexts>> = { en: english, es: spanish }
