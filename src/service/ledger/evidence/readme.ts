import type { Language } from '../../domain/language.ts'
import { type Verifier, verifierText } from '../signed-note.ts'
import { witnessText } from '../witnesses/cosignature.ts'
import { checkTexts } from './report/check-texts.ts'

type ReadmeOf = {
  readonly shipmentId: string
  readonly signedWith: Verifier
  readonly witnesses: readonly Verifier[]
  readonly hasPersonal: boolean
  readonly madeAt: Date
  readonly language: Language
}

/** The values of the page. */
type Filled = {
  readonly shipmentId: string
  readonly madeAt: string
  readonly ledger: string
  readonly hasPersonal: boolean
  /** Commands, a line each. */
  readonly commands: string
  readonly proved: string
  readonly notProved: string
}

/** `README.md`: what the bundle is, and how to check it. */
export function readme(of: ReadmeOf): string {
  const { shipmentId, signedWith, witnesses, hasPersonal, madeAt, language } = of
  const { proves, proved, doesNotProve, notProved } = checkTexts[language]
  const list = (items: readonly string[]) => items.map((item) => `- ${item}`).join('\n')
  return readmePages[language]({
    shipmentId,
    madeAt: madeAt.toISOString(),
    ledger: signedWith.name,
    hasPersonal,
    commands: [
      'node verify.mjs',
      `node verify.mjs --key ${verifierText(signedWith)}`,
      ...witnesses.map((witness) => `node verify.mjs --witness ${witnessText(witness)}`),
    ].join('\n'),
    proved: list(proves.map(proved)),
    notProved: list(doesNotProve.map(notProved)),
  })
}

/** File names, formats and commands are the same in both languages. */
export const readmePages: Readonly<Record<Language, (of: Filled) => string>> = {
  en: (of) => `# Evidence about shipment ${of.shipmentId}

Made at ${of.madeAt} by the ledger \`${of.ledger}\`.

| file | what it is |
|---|---|
| \`report.pdf\` | What happened, for people: who did what, when and why, and which requests the courier got. |
| \`history.ndjson\` | Every event of the shipment, each with its proof: an export in the format \`shipping-ledger-export/2\`. |
| \`checkpoint.txt\` | The signed tree that the proofs lead to, with the cosignatures of witnesses. |
${of.hasPersonal ? '| `personal.json` | The content of the vault for the shipment: the recipient, notes, the bodies of requests to the courier, labels. |\n' : ''}| \`verify.mjs\` | A program that checks all of this. One file without dependencies, meant to be read. |
| \`manifest.txt\` | The digest of every other file, signed by the ledger. |

${of.hasPersonal ? 'This bundle contains personal data. Give it only to people who may see it.' : 'This bundle contains no personal data, notes or courier texts; operators appear only by id. The events commit to the content of the vault.'}

## Check it

\`\`\`sh
${of.commands}
\`\`\`

It needs Node 18 or later and no network. It exits with 0 if nothing is wrong, with 1 if something is, and with 2 if
something could not be decided. Get the key of the ledger, and the keys of witnesses, another way than from this bundle:
\`GET /v1/ledger/keys\` of the service shows its keys. Compare \`checkpoint.txt\` with checkpoints that you have stored yourself:
\`--checkpoint FILE\`.

Without this program:

- \`npm run --silent ledger -- verify --file history.ndjson\`, in the service's software, checks the history.
- Any tool for C2SP signed notes checks the signatures of \`manifest.txt\` and \`checkpoint.txt\`. \`sha256sum\` and base64 give
  the digests in \`manifest.txt\`.
- The page "The format of the ledger's evidence" in the software's documentation describes every format, so anyone can write another program.

## What it proves, and what it does not

${of.proved}
${of.notProved}
`,
  es: (of) => `# Evidencia sobre el envío ${of.shipmentId}

Hecho el ${of.madeAt} por el registro \`${of.ledger}\`.

| archivo | qué es |
|---|---|
| \`report.pdf\` | Qué pasó, para personas: quién hizo qué, cuándo y por qué, y qué solicitudes recibió el courier. |
| \`history.ndjson\` | Todos los eventos del envío, cada uno con su prueba: una exportación en el formato \`shipping-ledger-export/2\`. |
| \`checkpoint.txt\` | El árbol firmado al que llevan las pruebas, con las cofirmas de los testigos. |
${of.hasPersonal ? '| `personal.json` | El contenido de la bóveda para el envío: el destinatario, las notas, los cuerpos de las solicitudes al courier, las etiquetas. |\n' : ''}| \`verify.mjs\` | Un programa que comprueba todo esto. Un solo archivo sin dependencias, hecho para ser leído. Sus mensajes están en inglés. |
| \`manifest.txt\` | La huella de cada uno de los demás archivos, firmada por el registro. |

${of.hasPersonal ? 'Este expediente contiene datos personales. Entréguelo solo a personas que puedan verlos.' : 'Este expediente no contiene datos personales, ni notas, ni textos del courier; los operadores aparecen solo por su id. Los eventos fijan el contenido de la bóveda.'}

## Compruébelo

\`\`\`sh
${of.commands}
\`\`\`

Requiere Node 18 o posterior y ninguna red. Termina con 0 si todo está en orden, con 1 si algo está mal y con 2 si algo no se
pudo decidir. Obtenga la clave del registro, y las claves de los testigos, por otra vía que este expediente:
\`GET /v1/ledger/keys\` del servicio muestra sus claves. Compare \`checkpoint.txt\` con puntos de control que usted mismo haya
guardado: \`--checkpoint FILE\`.

Sin este programa:

- \`npm run --silent ledger -- verify --file history.ndjson\`, en el software del servicio, comprueba la historia.
- Cualquier herramienta para notas firmadas de C2SP comprueba las firmas de \`manifest.txt\` y \`checkpoint.txt\`. \`sha256sum\` y
  base64 dan las huellas de \`manifest.txt\`.
- La página "The format of the ledger's evidence" de la documentación del software describe cada formato, así que cualquiera puede escribir otro programa.

## Qué prueba y qué no

${of.proved}
${of.notProved}
`,
}
