import { namedRoles, scopesOfRole } from '../../src/service/security/scopes.ts'

/** What the console knows about the roles of keys. */
export function roleScopesFile(): string {
  const sets = Object.fromEntries(namedRoles.map((role) => [role, scopesOfRole(role)]))
  return `// Generated from src/service/security/scopes.ts by \`npm run generate\`.
import type { Scope } from '../parts/scopes.tsx'

export const roleScopes = ${JSON.stringify(sets, null, 2)} as const satisfies Readonly<Record<string, readonly Scope[]>>
`
}
