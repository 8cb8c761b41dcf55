import { useState } from 'react'
import { ActButton } from '../parts/act-button.tsx'
import { ChangeEndpointDialog } from './change-endpoint-dialog.tsx'
import { DeleteEndpointDialog } from './delete-endpoint-dialog.tsx'
import type { EndpointDialogProps } from './endpoint-dialog.ts'
import { RecoverDialog } from './recover-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { SwitchDialog } from './switch-dialog.tsx'
import { TestEventDialog } from './test-event-dialog.tsx'

const dialogs = {
  test: TestEventDialog,
  recover: RecoverDialog,
  rotate: RotateDialog,
  switch: SwitchDialog,
  change: ChangeEndpointDialog,
  delete: DeleteEndpointDialog,
} as const

/** The acts on an endpoint, each in a window of its own. */
export function EndpointActs({ endpoint }: Pick<EndpointDialogProps, 'endpoint'>) {
  const [opened, setOpened] = useState<keyof typeof dialogs | null>(null)
  const isEnabled = endpoint.status === 'enabled'
  const Opened = opened === null ? null : dialogs[opened]
  const button = (word: string, act: keyof typeof dialogs) => (
    <ActButton word={word} scope="webhooks:write" onAct={() => setOpened(act)} />
  )
  return (
    <section className="actions" aria-label="Actions">
      {button('Send a test event…', 'test')}
      {button('Recover a period…', 'recover')}
      {button('Change…', 'change')}
      {button('Rotate the secret…', 'rotate')}
      {button(isEnabled ? 'Disable…' : 'Enable…', 'switch')}
      {button('Delete…', 'delete')}
      {Opened !== null && <Opened endpoint={endpoint} onClose={() => setOpened(null)} />}
    </section>
  )
}
