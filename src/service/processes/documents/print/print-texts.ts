import { counted, type Language } from '../../../domain/language.ts'

type PrintTexts = {
  readonly page: (number: number, count: number) => string
  readonly labels: {
    /** The title of the file. */
    readonly title: string
    readonly missing: (excluded: number, requested: number) => string
    readonly notInFile: string
    /** The title of the pages, and the name of their images in a ZIP file. */
    readonly coverTitle: string
    readonly coverImage: string
  }
  readonly manifest: ManifestTexts
}

type ManifestTexts = {
  readonly title: string
  readonly continued: string
  readonly from: (shop: string) => string
  readonly at: (agency: string) => string
  readonly shipments: (count: number) => string
  readonly pieces: (count: number) => string
  readonly testMode: string
  readonly alsoExcluded: (count: number) => string
  readonly columns: Readonly<
    Record<'guide' | 'reference' | 'destination' | 'pieces' | 'weight', string>
  >
  readonly handedOverBy: string
  readonly receivedBy: string
  readonly name: string
  readonly signature: string
  readonly dateAndTime: string
  readonly notToHandOver: string
  readonly keepBack: string
}

/** The printed texts that are the same for every file. */
export const printTexts: Readonly<Record<Language, PrintTexts>> = {
  en: {
    page: (number, count) => `Page ${number} of ${count}`,
    labels: {
      title: 'Labels',
      missing: (excluded, requested) => `Missing labels: ${excluded} of ${requested}`,
      notInFile: 'These shipments are not in this file.',
      coverTitle: 'Labels that are missing',
      coverImage: 'missing',
    },
    manifest: {
      title: 'Hand-over list',
      continued: 'Hand-over list (continued)',
      from: (shop) => `From: ${shop}`,
      at: (agency) => `At: ${agency}`,
      shipments: (count) => counted(count, 'shipment', 'shipments'),
      pieces: (count) => counted(count, 'piece', 'pieces'),
      testMode: 'Test mode: the simulated courier issued these guides.',
      alsoExcluded: (count) => `Not to hand over: ${count} more, named at the end of this file.`,
      columns: {
        guide: 'Guide',
        reference: 'Reference',
        destination: 'Destination',
        pieces: 'Pieces',
        weight: 'Weight, kg',
      },
      handedOverBy: 'Handed over by',
      receivedBy: 'Received by',
      name: 'Name',
      signature: 'Signature',
      dateAndTime: 'Date and time',
      notToHandOver: 'Not to hand over',
      keepBack: 'Keep these parcels back. They are not on any list to sign.',
    },
  },
  es: {
    page: (number, count) => `Página ${number} de ${count}`,
    labels: {
      title: 'Etiquetas',
      missing: (excluded, requested) => `Sin etiqueta: ${excluded} de ${requested}`,
      notInFile: 'Estos envíos no están en este archivo.',
      coverTitle: 'Etiquetas que faltan',
      coverImage: 'faltantes',
    },
    manifest: {
      title: 'Lista de entrega',
      continued: 'Lista de entrega (continuación)',
      from: (shop) => `Remitente: ${shop}`,
      at: (agency) => `Entrega en: ${agency}`,
      shipments: (count) => counted(count, 'envío', 'envíos'),
      pieces: (count) => counted(count, 'bulto', 'bultos'),
      testMode: 'Modo de prueba: el courier simulado emitió estas guías.',
      alsoExcluded: (count) =>
        count === 1
          ? 'No entregar: 1 envío más, indicado al final de este archivo.'
          : `No entregar: ${count} envíos más, indicados al final de este archivo.`,
      columns: {
        guide: 'Guía',
        reference: 'Referencia',
        destination: 'Destino',
        pieces: 'Bultos',
        weight: 'Peso, kg',
      },
      handedOverBy: 'Entregado por',
      receivedBy: 'Recibido por',
      name: 'Nombre',
      signature: 'Firma',
      dateAndTime: 'Fecha y hora',
      notToHandOver: 'No entregar',
      keepBack: 'Retenga estos paquetes. No figuran en ninguna lista para firmar.',
    },
  },
}
