import type { ReactNode } from 'react'
import type { Schemas } from '../../client/methods.ts'
import { useSession } from '../session.tsx'
import { Empty } from './states.tsx'

export type Scope = Schemas['ApiKey']['scopes'][number]

/** Whether this key has the scope. What it may not do is hidden, or disabled with the reason. */
export function useMay(scope: Scope): boolean {
  return useSession().key.scopes.includes(scope)
}

/** Why something is disabled: the sentence for a button's description. */
export function missing(scope: Scope): string {
  return `This key does not have the scope ${scope}.`
}

type NeedsProps = { readonly scope: Scope | null; readonly children: ReactNode }

/** Shows its content to keys with the scope, and the reason for its absence to others. */
export function Needs({ scope, children }: NeedsProps) {
  const { key } = useSession()
  if (scope === null || key.scopes.includes(scope)) return children
  return (
    <Empty title="This key may not read this">
      It does not have the scope <code>{scope}</code>. Sign in with a key that does.
    </Empty>
  )
}
