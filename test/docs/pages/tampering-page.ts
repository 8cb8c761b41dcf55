import { projections } from '../../../projections/all.ts'
import { acts } from '../../prove/tamper/acts.ts'
import { expectedOf, noEvidence } from '../../prove/tamper/expectations.ts'

/** The text of docs/tampering.md: what `npm run prove:tamper` does and expects. */
export function tamperingPage(): string {
  const found = Object.entries(expectedOf).flatMap(([table, columns]) => {
    const by = Map.groupBy(
      Object.entries(columns).filter(([, expected]) => typeof expected === 'string'),
      ([, expected]) => String(expected),
    )
    return [...by].map(
      ([command, named]) =>
        `| \`${table}\` | ${named.map(([column]) => `\`${column}\``).join(', ')} | \`${command}\` |`,
    )
  })
  const db = projections
    .flatMap(({ tables }) => Object.keys(tables))
    .map((table) => `| \`projections.${table}\` | every column | \`diff\` |`)
  const others = Object.entries(expectedOf).flatMap(([table, columns]) => {
    const by = Map.groupBy(
      Object.entries(columns).flatMap(([column, expected]) =>
        typeof expected === 'string' ? [] : [{ column, not: expected.not }],
      ),
      ({ not }) => not,
    )
    return [...by].map(
      ([not, named]) =>
        `| \`${table}\` | ${named.map(({ column }) => `\`${column}\``).join(', ')} | ${not} |`,
    )
  })
  const done = acts.map(
    ({ what, expected }) =>
      `| ${what} | ${expected.map(([command, exit]) => `\`${command}\`: ${exit}`).join('<br>')} |`,
  )
  const left = Object.entries(noEvidence).map(([table, why]) => `| \`${table}\` | ${why} |`)
  return `# Tampering

\`npm run prove:tamper\` does all of this as superuser, on a
ledger that has every kind of evidence, and fails unless each command ends as these tables say. \`npm test\` does one of
each kind. What the commands check: [the guide for auditors](guides/audit.md).

## Columns that are evidence

Another value in one row, and the command that finds it with exit code 1.

| table | column | found by |
|---|---|---|
${[...found, ...db].join('\n')}

## Columns that are not

No command finds a change, and none has to. The proof fails if one does: then it belongs above.

| table | column | why |
|---|---|---|
${others.join('\n')}

## Tables that are not evidence

| table | what it is |
|---|---|
${left.join('\n')}

## What else an attacker does

With the exit codes of the commands: 0 = nothing is wrong, 1 = found, 2 = cannot be decided. EARLY and LATE are
checkpoints in an auditor's hands, FORK is one of another history, PART and WHOLE are exported files, FORGED is such a
file after it was changed. On the untouched ledger all of them end with 0.

| what | exit codes |
|---|---|
${done.join('\n')}

An operator, a name or an actor in a request is refused with 422: the key alone says who acts. In EventStoreDB an event
whose data, metadata, type or id was changed, and events that were removed, are found by \`verify\`.
`
}
