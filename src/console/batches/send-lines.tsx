import { i18n } from '@lingui/core'
import { Checkbox, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { errorAt } from '../forms/field-errors.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { formatNumber } from '../languages/language.ts'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { Facts } from '../parts/facts.tsx'
import { ConnectionName, WorkspaceName } from '../parts/names.tsx'
import { Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { useDamageReason } from '../reading/use-health.ts'
import { useSession } from '../session.tsx'
import { headerErrors } from '../sheets/use-sheet-check.ts'
import { formatMoney } from '../shipments/money.ts'
import { useAverageGuide } from './average-guide.ts'
import type { BatchDraft } from './batch-draft.ts'
import { EarlierBatch, useEarlier } from './earlier-batch.tsx'

/** The API's own limit. */
const referenceMax = 255

type Answer = Schemas['BatchCheck']
type SendProps = { readonly of: BatchDraft; readonly answer: Answer }

/** What the user confirmed. Another file or reference needs a new confirmation. */
type Sure = { readonly reference: string; readonly fileId: string | undefined }

/** Names the batch and creates it from the lines that were checked. */
export function SendLines({ of, answer }: SendProps) {
  const { draft, change, reference, workspaceId } = of
  const sending = useSending(of)
  const earlier = useEarlier({ reference: reference.trim(), workspaceId, sample: answer.sample })
  const [sureOf, setSureOf] = useState<Sure | null>(null)
  const [isAsked, setAsked] = useState(false)
  const isDamaged = useDamageReason() !== null
  const fileId = draft.file?.id
  const isSure = sureOf?.reference === reference && sureOf.fileId === fileId
  const wrong = answer.lines - answer.good
  const why =
    refusalOf(of, answer) ??
    (earlier.doubts.length > 0 && !isSure
      ? i18n.t('Confirm first that these are other parcels.')
      : null)
  return (
    <>
      <TextInput
        label={i18n.t('Reference')}
        description={i18n.t(
          'Send a corrected file under the same reference, and no order gets a second guide. The reference is stored unencrypted: do not use names of people.',
        )}
        maxLength={referenceMax}
        value={reference}
        error={errorAt(sending.error, '#/query/external_reference')}
        onChange={(event) => change({ reference: event.currentTarget.value })}
      />
      <EarlierBatch
        earlier={earlier}
        isSure={isSure}
        onSure={(isNow) => setSureOf(isNow ? { reference, fileId } : null)}
      />
      {wrong > 0 && answer.good > 0 && (
        <Checkbox
          label={i18n.t(
            '{count, plural, one {Leave the bad line out. It creates no shipment, and the batch lists it.} other {Leave the # bad lines out. They create no shipments, and the batch lists them.}}',
            { count: wrong },
          )}
          checked={draft.skipsInvalid}
          onChange={(event) => change({ skipsInvalid: event.currentTarget.checked })}
        />
      )}
      <div className="actions">
        <SteadyButton
          isPrimary
          isOff={sending.isPending || why !== null}
          aria-describedby="why-not-sent"
          onPress={() => setAsked(true)}
        >
          {i18n.t('{count, plural, one {Create one shipment…} other {Create # shipments…}}', {
            count: answer.good,
          })}
        </SteadyButton>
        <span className="reason" id="why-not-sent">
          {why ??
            i18n.t(
              'Each line creates one shipment and one guide, which the courier may charge for.',
            )}
          {isDamaged &&
            ` ${i18n.t('The ledger has lost events. The lines wait until it is recovered.')}`}
        </span>
      </div>
      {isAsked && (
        <ConfirmDialog
          title={i18n.t('{count, plural, one {Create one shipment?} other {Create # shipments?}}', {
            count: answer.good,
          })}
          does={i18n.t('{count, plural, one {Create one shipment} other {Create # shipments}}', {
            count: answer.good,
          })}
          isIncomplete={why !== null}
          isPending={sending.isPending}
          onConfirm={sending.submit}
          onLeave={() => setAsked(false)}
        >
          <WhatIsSent of={of} answer={answer} isAgain={earlier.batchId !== null} />
          <Refused error={sending.error} />
        </ConfirmDialog>
      )}
    </>
  )
}

/** `isAgain`: a batch of this reference was sent before, and its orders with a guide get no other. */
type WhatProps = SendProps & { readonly isAgain: boolean }

/** How many, from whose account, and about what they will cost. */
function WhatIsSent({ of: { workspaceId, connectionId }, answer, isAgain }: WhatProps) {
  const isOneAccount = !answer.columns.some(({ field }) => field === 'courier_connection_id')
  const average = useAverageGuide(isOneAccount ? connectionId : '')
  const { good, lines } = answer
  return (
    <>
      <Facts
        facts={[
          [
            i18n.t('Guides'),
            isAgain
              ? i18n.t('at most {count}: orders that have a guide get no other', {
                  count: formatNumber(good),
                })
              : formatNumber(good),
          ],
          [i18n.t('Workspace'), <WorkspaceName key="workspace" id={workspaceId} />],
          [
            i18n.t('Courier account'),
            isOneAccount ? (
              <ConnectionName key="account" id={connectionId} />
            ) : (
              i18n.t('one for each line')
            ),
          ],
          [
            i18n.t('Price'),
            average === null
              ? i18n.t('not known')
              : isAgain
                ? i18n.t('at most about {price}', { price: priceOf(average.price, good) })
                : i18n.t('about {price}', { price: priceOf(average.price, good) }),
          ],
          [i18n.t('Lines left out'), formatNumber(lines - good)],
        ]}
      />
      {average !== null && (
        <p className="reason">
          {i18n.t(
            '{count, plural, one {The last guide of this account cost {price}.} other {The last # guides of this account cost {price} on average.}}',
            { count: average.guides, price: formatMoney(average.price) },
          )}
        </p>
      )}
      <p>{i18n.t('The courier may charge for each guide.')}</p>
    </>
  )
}

function priceOf({ amount, currency }: Schemas['Money'], guides: number): string {
  return formatMoney({ amount: amount * guides, currency })
}

function refusalOf(of: BatchDraft, answer: Answer): string | null {
  const { check, draft, reference, lacksConnection } = of
  if (lacksConnection) return i18n.t('Choose the courier connection first.')
  if (!check.isSettled) return i18n.t('Wait until the file is checked.')
  if (headerErrors(answer).length > 0) return i18n.t('Complete the columns first.')
  if (answer.good === 0) return i18n.t('No line is good. Correct the file and choose it again.')
  if (answer.good < answer.lines && !draft.skipsInvalid) {
    return i18n.t('Correct the lines in the table above or in the file, or leave them out.')
  }
  return reference.trim() === '' ? i18n.t('Give it a reference first.') : null
}

function useSending({ draft, change, forget, query, reference, check }: BatchDraft) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [, goTo] = useLocation()
  return useSendOnce({
    send: () => {
      const { file, sent } = draft
      if (file === null) throw new Error('bug: there is no file')
      const { lines = 0, good = 0 } = check.answer ?? {}
      const batch = {
        ...query,
        external_reference: reference.trim(),
        ...(good < lines ? { skip_invalid: true } : {}),
      }
      const content = JSON.stringify(batch)
      const isSame = sent !== null && sent.file === file && sent.query === content
      const key = isSame ? sent.key : `console-${crypto.randomUUID()}`
      change({ sent: { file, query: content, key } })
      return client.batches.createFromCsv({ ...batch, csv: file.content }, { idempotencyKey: key })
    },
    onSent: async (batch) => {
      forget()
      await queries.invalidateQueries({ queryKey: ['batches'] })
      goTo(`/batches/${batch.id}`)
    },
  })
}
