import { i18n } from '@lingui/core'
import { Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { verifyWebhook, WebhookRefused } from '../../client/verify-webhook.ts'
import { Badge } from '../parts/badge.tsx'
import { Panel } from '../parts/panel.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'

type Received = {
  readonly id: string
  readonly timestamp: string
  readonly signature: string
  readonly secret: string
  readonly body: string
}

const nothing: Received = { id: '', timestamp: '', signature: '', secret: '', body: '' }

const refusals = (): Readonly<Record<string, string>> => ({
  header_missing: i18n.t('A header is missing or malformed.'),
  outside_tolerance: i18n.t('The timestamp is not a whole number of seconds.'),
  wrong_signature: i18n.t('The signature does not match the body, id, timestamp and secret.'),
  not_json: i18n.t('The signature is valid, but the body is not a JSON object.'),
})

/** Checks the signature of a request that a receiver refused. Nothing is sent anywhere. */
export function SignatureTester() {
  const [received, setReceived] = useState(nothing)
  const test = useMutation({ mutationFn: () => verdictOf(received), gcTime: 0 })
  const change = (name: keyof Received) => (event: { currentTarget: { value: string } }) => {
    test.reset()
    setReceived({ ...received, [name]: event.currentTarget.value })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    test.mutate()
  }
  const header = (label: string, name: keyof Received) => (
    <TextInput
      size="xs"
      label={label}
      autoComplete="off"
      spellCheck={false}
      value={received[name]}
      onChange={change(name)}
    />
  )
  return (
    <Panel title={i18n.t('Signature tester')}>
      <p className="reason">
        {i18n.t(
          'If a receiver refuses events, paste a request it received. Nothing leaves this tab.',
        )}
      </p>
      <Stack component="form" gap="xs" onSubmit={submit}>
        {header('webhook-id', 'id')}
        {header('webhook-timestamp', 'timestamp')}
        {header('webhook-signature', 'signature')}
        <TextInput
          size="xs"
          type="password"
          label={i18n.t('Secret')}
          autoComplete="off"
          value={received.secret}
          onChange={change('secret')}
        />
        <Textarea
          size="xs"
          label={i18n.t('Body, as received')}
          rows={4}
          spellCheck={false}
          value={received.body}
          onChange={change('body')}
        />
        <div className="actions">
          <SteadyButton isOff={test.isPending} onPress={() => test.mutate()}>
            {i18n.t('Check the signature')}
          </SteadyButton>
        </div>
        <p role="status">
          {test.data !== undefined && (
            <>
              <Badge value={test.data === null ? 'ok' : 'wrong'} />{' '}
              {test.data ?? i18n.t('The signature is valid.')}
            </>
          )}
        </p>
      </Stack>
    </Panel>
  )
}

/** Why a receiver must refuse the request, or null. */
async function verdictOf(received: Received): Promise<string | null> {
  const { id, timestamp, signature, secret, body } = received
  const headers = {
    'webhook-id': id.trim(),
    'webhook-timestamp': timestamp.trim(),
    'webhook-signature': signature.trim(),
  }
  // The age of the request does not matter here.
  const sentAtMs = Number(timestamp) * 1_000
  const now = Number.isFinite(sentAtMs) ? sentAtMs : 0
  try {
    await verifyWebhook(body, headers, secret.trim(), { now })
    return null
  } catch (error) {
    if (error instanceof WebhookRefused) return refusals()[error.reason] ?? error.message
    return i18n.t('The secret is malformed. It starts with whsec_.')
  }
}
