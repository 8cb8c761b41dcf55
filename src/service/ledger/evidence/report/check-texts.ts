import { counted, type Language } from '../../../domain/language.ts'

/** The texts of a report about how its history was checked, and what that means. */
type CheckTexts = {
  readonly title: string
  readonly about: string
  readonly facts: Readonly<
    Record<
      'verdict' | 'eventsChecked' | 'tree' | 'signed' | 'key' | 'witnesses' | 'personalData',
      string
    >
  >
  readonly tree: (events: number, root: string) => string
  readonly witness: (name: string) => string
  readonly cosigned: (at: string) => string
  readonly invalidCosignature: string
  readonly notCosigned: string
  readonly noWitnesses: string
  /** Problems are in the words of the verifier, which are English. */
  readonly problem: (problem: string) => string
  readonly problems: (count: number) => string
  readonly nothingWrong: string
  readonly noStatement: string
  readonly vault: VaultTexts
  readonly meaning: string
  readonly proved: (text: string) => string
  readonly notProved: (text: string) => string
  /** What the bundle proves. README.md of the bundle lists the same. */
  readonly proves: readonly string[]
  readonly doesNotProve: readonly string[]
  readonly repeat: { readonly title: string; readonly how: string; readonly more: string }
}

type VaultTexts = {
  readonly asCommitted: (items: number) => string
  readonly withProblems: (items: number, altered: number, missing: number) => string
  /** A sentence to add; for no erased entry it is not used. */
  readonly erased: (count: number) => string
}

const english: CheckTexts = {
  title: 'The check',
  about:
    'The service checked the history in this bundle (history.ndjson) before it made this report.',
  facts: {
    verdict: 'Verdict',
    eventsChecked: 'Events checked',
    tree: 'Tree of the ledger',
    signed: 'Signed',
    key: 'Key of the ledger',
    witnesses: 'Witnesses',
    personalData: 'Personal data',
  },
  tree: (events, root) => `${counted(events, 'event', 'events')}, root ${root}`,
  witness: (name) => `Witness ${name}`,
  cosigned: (at) => `cosigned ${at}`,
  invalidCosignature: 'INVALID cosignature',
  notCosigned: 'has not cosigned this checkpoint',
  noWitnesses: 'This ledger has no witnesses.',
  problem: (problem) => `Problem: ${problem}.`,
  problems: (count) => `${counted(count, 'problem', 'problems')}. Do not rely on this history.`,
  nothingWrong:
    'Nothing is wrong: every event is in the signed tree, unchanged, in its place, and none of this shipment is missing.',
  noStatement: 'No problem was found, but there is no statement that the history is complete.',
  vault: {
    asCommitted: (items) =>
      `${counted(items, 'entry', 'entries')} of the vault in this bundle, each as the events committed to it.`,
    withProblems: (items, altered, missing) =>
      `${counted(items, 'entry', 'entries')} of the vault in this bundle. PROBLEMS: ${altered} altered, and ${missing} missing that no erasure explains.`,
    erased: (count) => (count === 1 ? '1 was erased.' : `${count} were erased.`),
  },
  meaning: 'What this proves, and what it does not',
  proved: (text) => `Proved: ${text}`,
  notProved: (text) => `Not proved: ${text}`,
  proves: [
    'Each event is in the signed ledger at its place and has not changed since the checkpoint was signed.',
    'No event before the last one shown is missing from the history of this shipment.',
    'The service states under its signature that the history has no further event at that checkpoint.',
    'A cosigned checkpoint cannot be replaced by another history of the same length without contradicting the witness.',
  ],
  doesNotProve: [
    'That the service recorded the truth. It recorded what it did, what it sent and what it received, at once and in order.',
    'That everyone was shown the same ledger, unless a witness has cosigned or you compare with a checkpoint that you kept.',
    "The text of this report, which is the service's own account. Rely on the events.",
  ],
  repeat: {
    title: 'How to repeat the check',
    how: 'Unpack the bundle and run this in its folder. It needs Node 18 or later, no network and no account. Get the key of the ledger another way than from this bundle, such as from GET /v1/ledger/keys, and compare it or pass it.',
    more: 'README.md in the bundle names other ways to check it. All files are listed with their digests in manifest.txt, which the ledger signed.',
  },
}

const spanish: CheckTexts = {
  title: 'La comprobación',
  about:
    'El servicio comprobó la historia de este expediente (history.ndjson) antes de hacer este informe.',
  facts: {
    verdict: 'Veredicto',
    eventsChecked: 'Eventos comprobados',
    tree: 'Árbol del registro',
    signed: 'Firmado',
    key: 'Clave del registro',
    witnesses: 'Testigos',
    personalData: 'Datos personales',
  },
  tree: (events, root) => `${counted(events, 'evento', 'eventos')}, raíz ${root}`,
  witness: (name) => `Testigo ${name}`,
  cosigned: (at) => `cofirmado el ${at}`,
  invalidCosignature: 'cofirma INVÁLIDA',
  notCosigned: 'no ha cofirmado este punto de control',
  noWitnesses: 'Este registro no tiene testigos.',
  problem: (problem) => `Problema, en palabras del verificador: ${problem}.`,
  problems: (count) => `${counted(count, 'problema', 'problemas')}. No confíe en esta historia.`,
  nothingWrong:
    'Todo está en orden: cada evento está en el árbol firmado, sin cambios y en su lugar, y no falta ninguno de este envío.',
  noStatement:
    'No se encontró ningún problema, pero no hay una declaración de que la historia esté completa.',
  vault: {
    asCommitted: (items) =>
      items === 1
        ? '1 entrada de la bóveda en este expediente, tal como la fijaron los eventos.'
        : `${items} entradas de la bóveda en este expediente, cada una tal como la fijaron los eventos.`,
    withProblems: (items, altered, missing) =>
      `${counted(items, 'entrada', 'entradas')} de la bóveda en este expediente. PROBLEMAS: alteradas, ${altered}; faltantes que ningún borrado explica, ${missing}.`,
    erased: (count) => (count === 1 ? 'Se borró 1.' : `Se borraron ${count}.`),
  },
  meaning: 'Qué prueba esto y qué no',
  proved: (text) => `Probado: ${text}`,
  notProved: (text) => `No probado: ${text}`,
  proves: [
    'cada evento está en su lugar en el registro firmado y no ha cambiado desde que se firmó el punto de control.',
    'no falta ningún evento anterior al último mostrado en la historia de este envío.',
    'el servicio declara bajo su firma que la historia no tiene más eventos en ese punto de control.',
    'un punto de control cofirmado no puede reemplazarse por otra historia de la misma longitud sin contradecir al testigo.',
  ],
  doesNotProve: [
    'que el servicio registró la verdad. Registró lo que hizo, lo que envió y lo que recibió, de inmediato y en orden.',
    'que a todos se les mostró el mismo registro, salvo que un testigo haya cofirmado o usted compare con un punto de control que guardó.',
    'el texto de este informe, que es el relato del propio servicio. Confíe en los eventos.',
  ],
  repeat: {
    title: 'Cómo repetir la comprobación',
    how: 'Descomprima el expediente y ejecute esto en su carpeta. Requiere Node 18 o posterior, sin red y sin cuenta. Obtenga la clave del registro por otra vía que este expediente, por ejemplo de GET /v1/ledger/keys, y compárela o indíquela.',
    more: 'README.md, en el expediente, indica otras formas de comprobarlo. Todos los archivos figuran con sus huellas en manifest.txt, que el registro firmó.',
  },
}

export const checkTexts: Readonly<Record<Language, CheckTexts>> = { en: english, es: spanish }
