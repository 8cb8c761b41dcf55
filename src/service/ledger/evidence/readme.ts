import { type Verifier, verifierText } from '../signed-note.ts'
import { witnessText } from '../witnesses/cosignature.ts'
import { doesNotProve, proves } from './report/check-blocks.ts'

type ReadmeOf = {
  readonly shipmentId: string
  readonly signedWith: Verifier
  readonly witnesses: readonly Verifier[]
  readonly hasPersonal: boolean
  readonly madeAt: Date
}

/** `README.md`: what the bundle is, and how to check it. */
export function readme(of: ReadmeOf): string {
  const { shipmentId, signedWith, witnesses, hasPersonal, madeAt } = of
  const key = verifierText(signedWith)
  return `# Evidence about shipment ${shipmentId}

Made at ${madeAt.toISOString()} by the ledger \`${signedWith.name}\`.

| file | what it is |
|---|---|
| \`report.pdf\` | What happened, for people: who did what, when and why, and which requests the courier got. |
| \`history.ndjson\` | Every event of the shipment, each with its proof: an export in the format \`shipping-ledger-export/2\`. |
| \`checkpoint.txt\` | The signed tree that the proofs lead to, with the cosignatures of witnesses. |
${hasPersonal ? '| `personal.json` | The content of the vault for the shipment: the recipient, notes, the bodies of requests to the courier, labels. |\n' : ''}| \`verify.mjs\` | A program that checks all of this. One file without dependencies, meant to be read. |
| \`manifest.txt\` | The digest of every other file, signed by the ledger. |

${hasPersonal ? 'This bundle contains personal data. Give it only to people who may see it.' : 'This bundle contains no personal data, notes or courier texts; operators appear only by id. The events commit to the content of the vault.'}

## Check it

\`\`\`sh
node verify.mjs
node verify.mjs --key ${key}
${witnesses.map((witness) => `node verify.mjs --witness ${witnessText(witness)}\n`).join('')}\`\`\`

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

${proves.map((text) => `- Proved: ${text}`).join('\n')}
${doesNotProve.map((text) => `- Not proved: ${text}`).join('\n')}
`
}
