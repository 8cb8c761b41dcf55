import type { z } from 'zod'
import { userNameAndPassword } from '../../couriers/connector-description.ts'
import { type Credentials, everyCapability } from '../../couriers/courier.ts'
import { answers } from '../../couriers/protocol.ts'
import { priceChangedCode, trackingCodes } from '../../couriers/protocol-codes.ts'
import { type CheckName, checkExplanations, connectorGuide } from './check-explanations.ts'
import {
  ask,
  type Checked,
  cancelIfCreated,
  createBody,
  declaredSums,
  found,
  invoiceOf,
  isRefusal,
  monthAhead,
  must,
  mustFindNone,
  quoteBody,
  reference,
  refused,
  sampleOf,
  shaped,
  soon,
  withOptions,
} from './courier-check-calls.ts'

type CourierCheckOptions = {
  readonly url: string
  readonly token?: string
  /** A courier account in which guides may be created. The simulator accepts any account. */
  readonly credentials?: Credentials
  /** The reference of an earlier check's guide, which must still be found. */
  readonly earlier?: string
  readonly write: (line: string) => void
  readonly json?: boolean
}

type CheckResult = {
  readonly name: CheckName
  readonly passed: boolean
  /** The problem; empty if the check passed. */
  readonly detail: string
  /** The consequence of a failure. `see` is the section of the guide that explains it. */
  readonly why: string
  readonly see: string
}

type CourierCheckReport = {
  readonly passed: number
  readonly failed: number
  /** The reference of this check's guide. */
  readonly reference: string
  readonly results: readonly CheckResult[]
}

/**
 * Checks a connector against the protocol and reports the results. Creates one guide in the given
 * account, and cancels it if the connector supports that.
 */
export async function courierCheck(options: CourierCheckOptions): Promise<CourierCheckReport> {
  const results: CheckResult[] = []
  const note = (result: CheckResult): void => {
    results.push(result)
    if (!options.json) options.write(linesOf(result))
  }
  const fields = await credentialFields(options)
  const checked = {
    ...options,
    credentials: options.credentials ?? withEach(fields, 'demo'),
    wrong: withEach(fields, 'wrong'),
  }
  const can = await checkDescription(checked, note)
  await checkRefusals(checked, can, note)
  const reference = await checkCreation(checked, can, note)
  if (options.earlier !== undefined) await checkEarlierGuide(checked, options.earlier, can, note)
  if (can.invoices) await checkInvoices(checked, note)
  const failed = results.filter(({ passed }) => !passed).length
  const report = { passed: results.length - failed, failed, reference, results }
  options.write(options.json ? JSON.stringify(report) : summaryOf(report))
  return report
}

function summaryOf({ passed, failed, reference, results }: CourierCheckReport): string {
  const counts = `${passed} passed, ${failed} failed.`
  const created: CheckName = 'a creation answers its guide'
  if (!results.some((result) => result.passed && result.name === created)) return counts
  return `${counts} To see that its guide is still found later, check again with --earlier ${reference}`
}

/** What the connector asks for; what every connector once asked for if it cannot be read. */
async function credentialFields(options: CourierCheckOptions): Promise<readonly string[]> {
  const fields = ask({ ...options, credentials: {} }, 'describe', null)
    .then((answer) => shaped(answer, answers.describe).credential_fields)
    .catch(() => userNameAndPassword)
  return (await fields).map(({ name }) => name)
}

function withEach(fields: readonly string[], value: string): Credentials {
  return Object.fromEntries(fields.map((field) => [field, value]))
}

type CheckedAccount = Checked & { readonly wrong: Credentials }

type Note = (result: CheckResult) => void

function linesOf({ name, passed, detail, why, see }: CheckResult): string {
  if (passed) return `ok      ${name}`
  return [`FAILED  ${name}: ${detail}`, `        ${why}`, `        See ${see}`].join('\n')
}

/** Runs one check. The error that it throws is the reported problem. */
async function check<T>(note: Note, name: CheckName, run: () => Promise<T>): Promise<T | null> {
  const { why, section } = checkExplanations[name]
  const result = { name, why, see: `${connectorGuide}#${section}` }
  try {
    const value = await run()
    note({ ...result, passed: true, detail: '' })
    return value
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    note({ ...result, passed: false, detail })
    return null
  }
}

type Can = z.infer<typeof answers.describe>['capabilities']

/** Reads the declared capabilities; if that fails, assumes all of them. */
async function checkDescription(checked: Checked, note: Note): Promise<Can> {
  const described = await check(note, 'it describes itself and its capabilities', async () => {
    return shaped(await ask(checked, 'describe', null), answers.describe)
  })
  await check(note, 'agencies are listed within the bounds, each code once', async () => {
    const { agencies } = shaped(await ask(checked, 'agencies', null), answers.agencies)
    must(agencies.length > 0, 'the list is empty')
    must(new Set(agencies.map(({ code }) => code)).size === agencies.length, 'a code occurs twice')
  })
  await check(note, 'package products are listed within the bounds, each code once', async () => {
    const answer = await ask(checked, 'packageProducts', null)
    const products = shaped(answer, answers.packageProducts).package_products
    must(products.length > 0, 'the list is empty')
    must(new Set(products.map(({ code }) => code)).size === products.length, 'a code occurs twice')
  })
  await check(note, 'good credentials are accepted', async () => {
    const { credentials } = checked
    shaped(await ask(checked, 'verifyCredentials', { credentials }), answers.verifyCredentials)
  })
  return described?.capabilities ?? everyCapability
}

async function checkRefusals(checked: CheckedAccount, can: Can, note: Note): Promise<void> {
  const { credentials, wrong } = checked
  await check(note, 'wrong credentials are answered 401', async () => {
    const answer = await ask(checked, 'verifyCredentials', { credentials: wrong })
    must(answer.status === 401, `the status is ${answer.status}, not 401`)
  })
  const sample = await sampleOf(checked)
  await check(note, 'a creation with wrong credentials is answered 401', async () => {
    const body = createBody({ ...checked, credentials: wrong }, sample, reference(), soon())
    const answer = await ask(checked, 'createGuide', body)
    must(answer.status === 401, `the status is ${answer.status}, not 401`)
  })
  await check(note, 'a request without its fields is refused in the refusal shape', async () => {
    refused(await ask(checked, 'findGuides', { credentials }), [200, 400, 422])
  })
  await check(note, 'an unknown agency is refused in the refusal shape', async () => {
    const body = createBody(checked, sample, reference(), soon())
    const answer = await ask(checked, 'createGuide', { ...body, destination: { agency_code: '?' } })
    refused(answer, [200, 400, 404, 409, 422])
  })
  await checkUnknownService(checked, can, note)
  await check(note, 'a creation after not_after is refused and not executed', async () => {
    const late = reference()
    const past = new Date(Date.now() - 1_000)
    const answer = await ask(checked, 'createGuide', createBody(checked, sample, late, past))
    const refusal = refused(answer, [412])
    must(refusal.code === 'too_late', `the code is "${refusal.code}", not "too_late"`)
    must(refusal.executed === false, 'it does not say `executed: false`')
    if (can.find) must((await found(checked, late)).length === 0, 'a guide was created anyway')
  })
  if (can.find) {
    await check(note, 'an unknown reference finds no guide', async () => {
      await mustFindNone(checked, reference())
    })
    await check(note, 'a find with wrong credentials is answered 401', async () => {
      const body = { credentials: wrong, client_reference: reference() }
      const answer = await ask(checked, 'findGuides', body)
      must(answer.status === 401, `the status is ${answer.status}, not 401`)
    })
  }
  if (can.quote) {
    await check(note, 'a quote has the documented form and prices something', async () => {
      const body = { ...quoteBody(checked, sample, null), ...declaredSums(can) }
      const quote = shaped(await ask(checked, 'quote', body), answers.quote)
      must(quote.rates.length + quote.errors.length > 0, 'it lists no service')
    })
    await check(note, 'a creation at a price that was never quoted is refused', async () => {
      const own = reference()
      const body = createBody(checked, sample, own, soon())
      const quoted_amount = { amount: 1, currency: 'PEN' }
      const answer = await ask(checked, 'createGuide', { ...body, quoted_amount })
      const { code } = refused(answer, [200, 400, 409, 422])
      must(code === priceChangedCode, `the code is "${code}", not "${priceChangedCode}"`)
      if (can.find) must((await found(checked, own)).length === 0, 'a guide was created anyway')
    })
  }
}

/** A shop may ask for a service that the courier does not have, such as transport by air. */
async function checkUnknownService(checked: Checked, can: Can, note: Note): Promise<void> {
  const service = { mode: '?', payer: '?' }
  const sample = await sampleOf(checked)
  await check(note, 'a creation with an unknown service is refused', async () => {
    const own = reference()
    const body = createBody(checked, sample, own, soon())
    const answer = await ask(checked, 'createGuide', { ...body, service })
    await cancelIfCreated(checked, own, answer)
    refused(answer, [200, 400, 404, 409, 422])
  })
  if (!can.quote) return
  await check(note, 'a quote for an unknown service has no price', async () => {
    const answer = await ask(checked, 'quote', quoteBody(checked, sample, service))
    if (isRefusal(answer)) refused(answer, [200, 400, 404, 409, 422])
    else must(shaped(answer, answers.quote).rates.length === 0, 'it has one')
  })
}

/** Creates the check's guide and returns its reference. */
async function checkCreation(checked: Checked, can: Can, note: Note): Promise<string> {
  const sample = await sampleOf(checked)
  const own = reference()
  const guide = await check(note, 'a creation answers its guide', async () => {
    const body = withOptions(createBody(checked, sample, own, soon()), can)
    return shaped(await ask(checked, 'createGuide', body), answers.createGuide).guide
  })
  const call: GuideBody = {
    credentials: checked.credentials,
    client_reference: own,
    guide_number: guide?.guide_number ?? 'none',
  }
  if (can.find) await checkFinding(checked, own, guide, note)
  if (can.tracking) await checkTracking(checked, call, note)
  if (can.label) await checkLabel(checked, call, note)
  if (can.cancel) await checkCancellation(checked, call, can, note)
  return own
}

type MadeGuide = z.infer<typeof answers.createGuide>['guide']

async function checkFinding(
  checked: Checked,
  own: string,
  made: MadeGuide | null,
  note: Note,
): Promise<void> {
  const mustFindIt = async (more: { readonly include_cancelled?: boolean }): Promise<void> => {
    const guides = await found(checked, own, more)
    must(guides.length === 1, `${guides.length} guides are found`)
    const { guide_number, pickup_code, status } = guides[0] as (typeof guides)[number]
    must(guide_number === made?.guide_number, 'its number differs from the one in the answer')
    must(
      pickup_code === null || pickup_code === made?.pickup_code,
      'its pickup code differs from the one in the answer',
    )
    must(status !== 'cancelled', 'its status is "cancelled"')
  }
  await check(note, 'the new guide, and no other, is found by its reference', async () => {
    await mustFindIt({})
  })
  await check(note, 'a guide that stands is found with include_cancelled too', async () => {
    await mustFindIt({ include_cancelled: true })
  })
  await check(note, 'a reference that is almost the same finds no guide', async () => {
    const others = {
      'in capitals': own.toUpperCase(),
      'in small letters': own.toLowerCase(),
      'without its last character': own.slice(0, -1),
      'with one more character': `${own}0`,
    }
    for (const [how, other] of Object.entries(others)) {
      must((await found(checked, other)).length === 0, `the reference ${how} finds one`)
    }
  })
  await check(note, 'a guide number finds no guide of another reference', async () => {
    const guide_number = made?.guide_number ?? 'none'
    await mustFindNone(checked, reference(), { guide_number })
  })
}

/** Looks for the guide of an earlier check, which is cancelled if the connector supports that. */
async function checkEarlierGuide(
  checked: Checked,
  earlier: string,
  can: Can,
  note: Note,
): Promise<void> {
  await check(note, 'the guide of an earlier check is still found', async () => {
    const guides = await found(checked, earlier, { include_cancelled: true })
    must(guides.length === 1, `${guides.length} guides are found`)
    const status = can.cancel ? 'cancelled' : 'active'
    must((guides[0]?.status ?? 'active') === status, `its status is not "${status}"`)
  })
}

type GuideBody = {
  readonly credentials: object
  readonly client_reference: string
  readonly guide_number: string
}

async function checkTracking(checked: Checked, call: GuideBody, note: Note): Promise<void> {
  await check(note, 'tracking has the documented form and codes', async () => {
    const { events } = shaped(await ask(checked, 'track', call), answers.track)
    const unmapped = events.filter(({ code }) => !Object.hasOwn(trackingCodes, code))
    must(unmapped.length === 0, 'a code is not in the list')
  })
  await check(note, 'a guide under a foreign reference is refused', async () => {
    const answer = await ask(checked, 'track', { ...call, client_reference: reference() })
    refused(answer, [200, 404, 409, 422])
  })
}

async function checkLabel(checked: Checked, call: GuideBody, note: Note): Promise<void> {
  await check(note, 'the label is a PDF, or is announced for later', async () => {
    const answer = await ask(checked, 'label', { ...call, size: 'a6' })
    if (answer.status === 202) return
    if (answer.status === 409) {
      must(refused(answer, [409]).code === 'label_not_ready', 'the code is not "label_not_ready"')
      return
    }
    must(answer.status === 200, `the status is ${answer.status}`)
    must(answer.contentType.startsWith('application/pdf'), `its type is "${answer.contentType}"`)
    must(answer.body.subarray(0, 5).toString('latin1') === '%PDF-', 'the body is not a PDF')
    // Loading it takes longer than the rest of most commands.
    const { isPrintable } = await import('../../processes/documents/printable-label.ts')
    must(await isPrintable(answer.body), 'the PDF cannot be opened and drawn, as printing needs')
  })
}

async function checkCancellation(
  checked: Checked,
  call: GuideBody,
  can: Can,
  note: Note,
): Promise<void> {
  const { client_reference: own, guide_number: number } = call
  const standing = async () => {
    const guides = await found(checked, own)
    return guides.filter(({ status }) => status !== 'cancelled').length
  }
  await check(note, 'a cancellation after not_after is refused and not executed', async () => {
    const past = new Date(Date.now() - 1_000).toISOString()
    refused(await ask(checked, 'cancelGuide', { ...call, not_after: past }), [412])
    if (can.find) must((await standing()) === 1, 'the guide no longer stands')
  })
  await check(note, 'a guide can be cancelled, and again without harm', async () => {
    const body = { ...call, not_after: soon().toISOString() }
    shaped(await ask(checked, 'cancelGuide', body), answers.cancelGuide)
    shaped(await ask(checked, 'cancelGuide', body), answers.cancelGuide)
    if (can.find) must((await standing()) === 0, 'the guide still stands')
  })
  if (!can.find) return
  await check(note, 'a cancelled guide is left out unless it is asked for', async () => {
    must((await found(checked, own)).length === 0, 'it is listed without `include_cancelled`')
  })
  await check(note, 'a cancelled guide is found as such on request', async () => {
    const guides = await found(checked, own, { include_cancelled: true })
    const cancelled = guides.find(({ guide_number }) => guide_number === number)
    must(cancelled !== undefined, 'it is not listed with `include_cancelled`')
    must(cancelled?.status === 'cancelled', 'its status is not "cancelled"')
  })
}

async function checkInvoices(checked: CheckedAccount, note: Note): Promise<void> {
  // The new guide may be billed already, and last month's invoice may not exist yet.
  const months = [monthAhead(0), monthAhead(-1)]
  await check(note, 'an invoice has the documented form, or is not ready', async () => {
    for (const month of months) await invoiceOf(checked, month)
  })
  await check(note, 'a month has the same invoice number each time', async () => {
    for (const month of months) {
      const [one, other] = [await invoiceOf(checked, month), await invoiceOf(checked, month)]
      if (one === null || other === null) continue
      must(one.reference === other.reference, 'asked for twice, it has two numbers')
    }
  })
  await check(note, 'a month that has not begun has no invoice', async () => {
    // The next month may begin during the check.
    must((await invoiceOf(checked, monthAhead(2))) === null, 'it has one')
  })
  await check(note, 'an invoice with wrong credentials is answered 401', async () => {
    const credentials = checked.wrong
    const answer = await ask(checked, 'invoice', { credentials, month: monthAhead(-1) })
    must(answer.status === 401, `the status is ${answer.status}, not 401`)
  })
}
