import type { Page } from 'playwright-core'

/** The dialog of an action on a shipment, and how a test fills it in. */
export function actDialog(page: Page) {
  const dialog = page.getByRole('dialog')
  return {
    dialog,
    /** Opens the dialog with its button. */
    open: (word: string) => page.getByRole('button', { name: word }).click(),
    async fill(reference: string, reason: string) {
      await dialog.getByLabel('Reason').fill(reason)
      await dialog.getByLabel('To confirm, type the order reference').fill(reference)
    },
    confirm: (word: string) => dialog.getByRole('button', { name: word, exact: true }),
  }
}

export const cancelWord = 'Cancel the guide…'
export const eraseWord = 'Erase personal data…'

/** Collects the keys of the requests whose path ends like this. */
export function keysSent(page: Page, end: string): readonly (string | undefined)[] {
  const keys: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(end)) {
      keys.push(request.headers()['idempotency-key'])
    }
  })
  return keys
}
