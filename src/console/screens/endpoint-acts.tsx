import { useState } from 'react'
import { ActButton } from '../parts/act-button.tsx'
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
} as const

/** What can be done with an endpoint; each asks before it does it. */
export function EndpointActs({ endpoint }: Pick<EndpointDialogProps, 'endpoint'>) {
  const [opened, setOpened] = useState<keyof typeof dialogs | null>(null)
  const isEnabled = endpoint.status === 'enabled'
  const refused = isEnabled ? null : 'It is disabled: nothing is sent to it.'
  const Opened = opened === null ? null : dialogs[opened]
  const button = (word: string, act: keyof typeof dialogs, whyNot: string | null) => (
    <ActButton word={word} scope="webhooks:write" refused={whyNot} onAct={() => setOpened(act)} />
  )
  return (
    <section className="actions" aria-label="Actions">
      {button('Send a test event…', 'test', refused)}
      {button('Recover a period…', 'recover', refused)}
      {button('Rotate the secret…', 'rotate', null)}
      {button(isEnabled ? 'Disable…' : 'Enable…', 'switch', null)}
      {Opened !== null && <Opened endpoint={endpoint} onClose={() => setOpened(null)} />}
    </section>
  )
}
