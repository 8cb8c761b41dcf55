import { i18n } from '@lingui/core'
import { PasswordInput, TextInput } from '@mantine/core'
import type { Schemas } from '../../client/methods.ts'
import { errorAt } from '../forms/field-errors.ts'
import { useSession } from '../session.tsx'
import type { Courier } from './use-couriers.ts'

/** By the name of the courier's field. */
export type Credentials = Readonly<Record<string, string>>

/** The API's own limit. */
const credentialMax = 500

type Field = Schemas['CredentialField']

export function pointersOf(courier: Courier | undefined): readonly string[] {
  return ['/credentials', ...(courier?.credential_fields ?? []).map(pointerOf)]
}

function pointerOf({ name }: Pick<Field, 'name'>): string {
  return `/credentials/${name}`
}

/** Only fields of the courier, and no empty ones: those that it does not require may be left out. */
export function filledIn(courier: Courier | undefined, typed: Credentials): Credentials {
  const names = (courier?.credential_fields ?? []).map(({ name }) => name)
  return Object.fromEntries(
    names.flatMap((name) => (typed[name] ? [[name, typed[name]] as const] : [])),
  )
}

type FieldsProps = {
  readonly courier: Courier | undefined
  readonly value: Credentials
  readonly error: unknown
  readonly onChange: (value: Credentials) => void
}

/** What the courier asks for. It is never shown again, so the fields start empty. */
export function CredentialsFields({ courier, value, error, onChange }: FieldsProps) {
  if (courier?.credential_fields === null) {
    return (
      <p>
        {i18n.t(
          'The courier does not answer now, so it is not known which credentials it needs. Try again later.',
        )}
      </p>
    )
  }
  return courier?.credential_fields.map((field) => (
    <CredentialInput
      key={field.name}
      field={field}
      value={value[field.name] ?? ''}
      error={errorAt(error, pointerOf(field))}
      onChange={(typed) => onChange({ ...value, [field.name]: typed })}
    />
  ))
}

type InputProps = {
  readonly field: Field
  readonly value: string
  readonly error: ReturnType<typeof errorAt>
  readonly onChange: (typed: string) => void
}

function CredentialInput({ field, value, error, onChange }: InputProps) {
  const { key } = useSession()
  const label = labelOf(field)
  const shared = {
    label,
    required: field.required,
    withAsterisk: false,
    maxLength: credentialMax,
    value,
    error,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
  }
  const optional = field.required ? undefined : i18n.t('Optional.')
  if (!field.secret) {
    return <TextInput {...shared} description={optional} autoComplete="off" spellCheck={false} />
  }
  return (
    <PasswordInput
      {...shared}
      description={
        key.livemode
          ? i18n.t('Encrypted, and never shown again.')
          : i18n.t('The simulated courier accepts any username, and any password but “wrong”.')
      }
      autoComplete="new-password"
      visibilityToggleButtonProps={{
        'aria-label':
          field.name === 'password' ? i18n.t('Show the password') : i18n.t('Show what is typed'),
      }}
    />
  )
}

/** The usual fields in the console's language, all others in the courier's words. */
function labelOf({ name, label }: Field): string {
  if (name === 'username') return i18n.t('Username')
  return name === 'password' ? i18n.t('Password') : label
}
