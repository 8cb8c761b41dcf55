import { i18n } from '@lingui/core'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '../../client/create-client.ts'
import type { Answered, Input, Schemas } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { ActButton } from '../parts/act-button.tsx'
import { type LabelFormat, labelFileOf, labelQueryOf } from '../parts/label-format.ts'
import { openFile } from '../parts/save-file.ts'
import { Refused } from '../parts/states.tsx'
import { useSession } from '../session.tsx'

type PrintProps = {
  readonly batch: Answered<Schemas['Batch']>
  readonly format: LabelFormat
}

/** Prints every label of the batch in the format that was chosen last. */
export function PrintLabels({ batch: { id, external_reference: name }, format }: PrintProps) {
  const { client } = useSession()
  const { type, extension } = labelFileOf(format)
  const print = useMutation({
    mutationFn: () => printedLabels(client, { id, ...labelQueryOf(format) }),
    onSuccess: (bytes) =>
      openFile(i18n.t('labels {name}', { name: `${safe(name)}.${extension}` }), type, bytes),
    gcTime: 0,
  })
  return (
    <>
      <ActButton
        word={print.isPending ? i18n.t('Making the labels…') : i18n.t('Print labels')}
        scope="shipments:read"
        isPrimary
        isPending={print.isPending}
        onAct={() => print.mutate()}
      />
      <Refused error={print.error} />
    </>
  )
}

/** About as long as a clerk waits. Labels that take longer are named on the first page. */
const patience = { retry: { requestsMax: 10, totalMs: 12_000 } }

/** Waits while the courier is making the last labels of a batch, and prints those that are there. */
export async function printedLabels(
  { batches }: Client,
  query: Omit<Input<'getBatchLabels'>, 'complete'>,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await batches.getLabels({ ...query, complete: 'true' }, patience))
  } catch (error) {
    const isWaiting = error instanceof ShippingLedgerError && error.reason === 'label_not_ready'
    if (!isWaiting) throw error
    return new Uint8Array(await batches.getLabels(query))
  }
}

/** A name for a file, of letters, digits and a few signs. */
function safe(name: string): string {
  return name.replace(/[^\p{L}\p{N}._ -]+/gu, '-')
}
