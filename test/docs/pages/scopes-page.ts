import { defaultScopes, scopes } from '../../../src/service/security/api-keys.ts'

type Operation = {
  readonly summary: string
  readonly security: readonly { readonly bearer: readonly string[] }[]
}

/** The part of the API's document that this page uses. */
export type Described = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** The text of docs/scopes.md: the scopes that the routes declare and check. */
export function scopesPage({ paths }: Described): string {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security, summary }]) => ({
      row: `| \`${method.toUpperCase()} ${path}\` | ${summary} |`,
      scope: security[0]?.bearer[0] ?? null,
    })),
  )
  const opens = (wanted: string | null) => {
    const rows = routes.filter(({ scope }) => scope === wanted).map(({ row }) => row)
    if (rows.length === 0) throw new Error(`no route needs the scope ${wanted}`)
    return `| route | what it does |\n|---|---|\n${rows.join('\n')}\n`
  }
  const sections = scopes.map((scope) => {
    const given = defaultScopes.includes(scope) ? '' : 'Not given unless asked for.\n\n'
    return `## \`${scope}\`\n\n${given}${opens(scope)}`
  })
  return `# Scopes

A key has every scope but those that are marked, unless it was made with others. What a scope is: [authentication](guides/authentication.md).

## Any key

${opens(null)}
${sections.join('\n')}`
}
