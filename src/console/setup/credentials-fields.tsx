import { i18n } from '@lingui/core'
import { PasswordInput, TextInput } from '@mantine/core'
import { errorAt } from '../forms/field-errors.ts'
import { useSession } from '../session.tsx'

export type Credentials = { readonly username: string; readonly password: string }

export const credentialsFields = ['/credentials/username', '/credentials/password'] as const

/** The API's own limit. */
const credentialMax = 500

type FieldsProps = {
  readonly value: Credentials
  readonly error: unknown
  readonly onChange: (value: Credentials) => void
}

/** The courier's credentials. They are never shown again, so the fields start empty. */
export function CredentialsFields({ value, error, onChange }: FieldsProps) {
  const { key } = useSession()
  return (
    <>
      <TextInput
        label={i18n.t('Username')}
        required
        withAsterisk={false}
        maxLength={credentialMax}
        autoComplete="off"
        spellCheck={false}
        value={value.username}
        error={errorAt(error, '/credentials/username')}
        onChange={(event) => onChange({ ...value, username: event.currentTarget.value })}
      />
      <PasswordInput
        label={i18n.t('Password')}
        description={
          key.livemode
            ? i18n.t('Encrypted, and never shown again.')
            : i18n.t('The simulated courier accepts any username, and any password but “wrong”.')
        }
        required
        withAsterisk={false}
        maxLength={credentialMax}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': i18n.t('Show the password') }}
        value={value.password}
        error={errorAt(error, '/credentials/password')}
        onChange={(event) => onChange({ ...value, password: event.currentTarget.value })}
      />
    </>
  )
}
