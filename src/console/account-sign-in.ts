import { i18n } from '@lingui/core'
/** How the service's page says that people sign in. */
export const takesAccounts =
  document.querySelector<HTMLMetaElement>('meta[name="sign-in"]')?.content === 'account'

/** Between leaving for the issuer and coming back. It ends with the tab, which alone has it. */
const attemptName = 'shipping-ledger.sign-in'
const secretBytes = 32

type Attempt = { readonly verifier: string; readonly path: string }

/** What this tab came back with from the issuer. */
export type Arrival =
  | { readonly kind: 'code'; readonly code: string; readonly verifier: string }
  | { readonly kind: 'refused'; readonly why: string; readonly isAccount: boolean }

/** Why the issuer or the service refused, by the word in the address. */
function refusals(): Readonly<Partial<Record<string, string>>> {
  return {
    service_away: i18n.t(
      'Signing in failed because of a problem with this service. Try again in a moment.',
    ),
    issuer_away: i18n.t('Your company’s sign-in does not answer. Try again in a moment.'),
    issuer_refused: i18n.t('Your company’s sign-in did not confirm who you are. Try again.'),
    cancelled: i18n.t('You cancelled the sign-in.'),
    too_late: i18n.t('The sign-in took too long. Try again.'),
    too_many: i18n.t('There were too many sign-ins from your network. Try again in a minute.'),
    unknown_account: i18n.t(
      'This account does not belong to an operator. Use another one, or ask your administrator to create an operator for you.',
    ),
    email_not_verified: i18n.t(
      'The e-mail address of this account is not verified, so it cannot tell who you are. Ask your administrator.',
    ),
    operator_disabled: i18n.t('Your access is disabled. Ask your administrator.'),
    no_role: i18n.t('This account has no role here. Ask your administrator.'),
    other_tab: i18n.t('This sign-in was begun in another tab. Sign in here.'),
  }
}

/** Why the last sign-in ended without a session. */
export function refusalSentence(why: string): string {
  return refusals()[why] ?? i18n.t('This sign-in is no longer valid. Sign in again.')
}

/** The issuer would choose the same account again, so it must ask. */
const aboutAccount = ['unknown_account', 'email_not_verified', 'operator_disabled', 'no_role']

type Leaving = { readonly livemode: boolean; readonly again: boolean }

/** Goes to the issuer. Only this tab can use what the issuer leads back with. */
export async function leaveForIssuer({ livemode, again }: Leaving): Promise<void> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(secretBytes)))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const attempt: Attempt = { verifier, path: location.pathname + location.search }
  sessionStorage.setItem(attemptName, JSON.stringify(attempt))
  const query = new URLSearchParams({
    challenge: base64url(new Uint8Array(digest)),
    mode: livemode ? 'live' : 'test',
    ...(again ? { again: '1' } : {}),
  })
  location.assign(`/console/sign-in/start?${query}`)
}

/** Reads the arrival once, and removes it from the address and the history. */
function takeArrival(): Arrival | null {
  const [, name, value = ''] = /^#(sign-in|refused)=([\w-]{1,64})$/.exec(location.hash) ?? []
  if (name === undefined) return null
  const attempt = takeAttempt()
  history.replaceState(null, '', attempt?.path ?? '/console')
  if (name === 'refused') {
    return { kind: 'refused', why: value, isAccount: aboutAccount.includes(value) }
  }
  return attempt === null
    ? { kind: 'refused', why: 'other_tab', isAccount: false }
    : { kind: 'code', code: value, verifier: attempt.verifier }
}

function takeAttempt(): Attempt | null {
  const stored = sessionStorage.getItem(attemptName)
  sessionStorage.removeItem(attemptName)
  if (stored === null) return null
  const { verifier, path } = JSON.parse(stored) as Attempt
  return { verifier, path: /^\/console(\/|\?|$)/.test(path) ? path : '/console' }
}

/** Taken when the page loads, before any screen reads the address. */
export const arrival = takesAccounts ? takeArrival() : null

let asksForAccount = arrival?.kind === 'refused' && arrival.isAccount

/** A person who signs out may hand the browser to another, so the issuer asks for the account. */
export function askForAccount(): void {
  asksForAccount = true
}

export function isAccountAsked(): boolean {
  return asksForAccount
}

export type Choice = { readonly organization_id: string; readonly name: string }
export type Redeemed = { readonly key: string } | { readonly choices: readonly Choice[] }

/** Exchanges a one-time code for a key. Null if it is not valid. Throws if the service is away. */
export async function redeem(
  { code, verifier }: Extract<Arrival, { kind: 'code' }>,
  organizationId?: string,
): Promise<Redeemed | null> {
  const answer = await fetch('/console/sign-in/key', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      code,
      verifier,
      ...(organizationId === undefined ? {} : { organization_id: organizationId }),
    }),
  })
  if (answer.ok) return (await answer.json()) as Redeemed
  if (answer.status === 401) return null
  throw new Error(
    i18n.t('The service answered {status}. Sign in again.', { status: answer.status }),
  )
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
