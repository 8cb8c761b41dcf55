// Generated from src/service/security/scopes.ts by `npm run generate`.
import type { Scope } from '../parts/scopes.tsx'

export const roleScopes = {
  "integration": [
    "shipments:read",
    "shipments:write",
    "connections:read",
    "webhooks:read",
    "webhooks:write",
    "workspaces:read",
    "operations:read"
  ],
  "clerk": [
    "shipments:read",
    "shipments:write",
    "connections:read",
    "workspaces:read",
    "operations:read"
  ],
  "support": [
    "shipments:read",
    "shipments:write",
    "connections:read",
    "webhooks:read",
    "workspaces:read",
    "operations:read",
    "ledger:read"
  ],
  "accountant": [
    "shipments:read",
    "connections:read",
    "workspaces:read",
    "operations:read",
    "operations:review",
    "ledger:read"
  ],
  "operator": [
    "shipments:read",
    "shipments:write",
    "connections:read",
    "webhooks:read",
    "webhooks:write",
    "workspaces:read",
    "operations:read",
    "operations:review",
    "ledger:read"
  ],
  "admin": [
    "shipments:read",
    "shipments:write",
    "connections:read",
    "connections:write",
    "webhooks:read",
    "webhooks:write",
    "workspaces:read",
    "workspaces:write",
    "keys:write",
    "operators:write",
    "operations:read",
    "operations:review",
    "ledger:read"
  ]
} as const satisfies Readonly<Record<string, readonly Scope[]>>
