import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import type { ReactNode } from 'react'
import type { Schemas } from '../../client/methods.ts'
import { useSession } from '../session.tsx'
import { Empty } from './states.tsx'

export type Scope = Schemas['ApiKey']['scopes'][number]

/**
 * Whether this key has the scope. Actions it may not do are hidden, or disabled with the reason.
 */
export function useMay(scope: Scope): boolean {
  return useSession().key.scopes.includes(scope)
}

/** The reason for a disabled action. */
export function missing(scope: Scope): string {
  return i18n.t('This key does not have the {scope} scope.', { scope })
}

type NeedsProps = { readonly scope: Scope | null; readonly children: ReactNode }

/** Shows its content to keys with the scope, and the reason to others. */
export function Needs({ scope, children }: NeedsProps) {
  const { key } = useSession()
  if (scope === null || key.scopes.includes(scope)) return children
  return (
    <Empty title={i18n.t('This key may not read this')}>
      <Trans
        id="It does not have the <code>{scope}</code> scope. Sign in with a key that does."
        values={{ scope }}
        components={{ code: <code /> }}
      />
    </Empty>
  )
}
