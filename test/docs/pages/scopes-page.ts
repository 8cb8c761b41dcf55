import { defaultScopes, scopes } from '../../../src/service/security/api-keys.ts'
import { aboutRoles, namedRoles, scopesOfRole } from '../../../src/service/security/scopes.ts'

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
  const roles = namedRoles.map((role) => {
    const granted = scopesOfRole(role).map((scope) => `\`${scope}\``)
    return `| \`${role}\` | ${aboutRoles[role]} | ${granted.join(', ')} |`
  })
  roles.push(`| \`custom\` | ${aboutRoles.custom} | as chosen |`)
  return `# Scopes

What a scope is: [authentication](guides/authentication.md). A key has the scopes of its role, or those that it was
created with. \`key create\` without a role gives every scope but those that are marked.

## Roles

| role | for | scopes |
|---|---|---|
${roles.join('\n')}

A key keeps the scopes that it was created with, even if a later version changes its role.

## Any key

${opens(null)}
${sections.join('\n')}`
}
