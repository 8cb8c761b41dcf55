import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../client/methods.ts'
import { errorAt } from '../forms/field-errors.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { SecretWindow } from '../forms/secret-window.tsx'
import { useSendOnce } from '../forms/use-send-once.ts'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'

const fields = ['/overlap_hours'] as const
/** The overlaps that people need: a leak, a restart, a deployment, a slow customer. */
const overlaps = () => [
  { value: '0', label: i18n.t('Not at all: the old key may have leaked') },
  { value: '1', label: i18n.t('1 hour') },
  { value: '24', label: i18n.t('24 hours') },
  { value: '72', label: i18n.t('3 days') },
  { value: '168', label: i18n.t('7 days') },
]

type Props = {
  readonly of: Schemas['ApiKey']
  readonly onClose: () => void
}

/** Rolls a key and shows the next one. The key is dropped when the dialog closes. */
export function RollKeyDialog({ of, onClose }: Props) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [overlap, setOverlap] = useState('24')
  const [made, setMade] = useState<Schemas['ApiKeyWithSecret'] | null>(null)
  const sending = useSendOnce({
    send: (idempotencyKey) =>
      client.keys.roll({ id: of.id, overlap_hours: Number(overlap) }, { idempotencyKey }),
    onSent: async (next) => {
      await queries.invalidateQueries({ queryKey: ['keys'] })
      await queries.invalidateQueries({ queryKey: ['api-key', of.id] })
      setMade(next)
    },
  })
  if (made !== null) {
    return (
      <SecretWindow
        title={i18n.t('The next key')}
        secret={made.key}
        otherwise={i18n.t('roll the next key.')}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title={
        of.name === null
          ? i18n.t('Roll the key …{last4}?', { last4: of.last4 })
          : i18n.t('Roll {name} …{last4}?', { name: of.name, last4: of.last4 })
      }
      does={i18n.t('Roll it')}
      sending={sending}
      fields={fields}
      onClose={onClose}
    >
      <p>
        {i18n.t(
          'The next key has the same name, role, scopes and access. Put it where the old one is used.',
        )}{' '}
        {of.last_used_at === null ? (
          i18n.t('The old one was never used.')
        ) : (
          <Trans
            id="The old one was last used at {at}."
            values={{ at: <Time at={of.last_used_at} /> }}
          />
        )}
      </p>
      <NativeSelect
        label={i18n.t('The old key still works for')}
        value={overlap}
        error={errorAt(sending.error, '/overlap_hours')}
        data={overlaps()}
        onChange={(event) => setOverlap(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
