import { i18n } from '@lingui/core'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '../../client/create-client.ts'
import type { Answered, Input, Schemas } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { ActButton } from '../parts/act-button.tsx'
import { type LabelFormat, labelFileOf, labelsQueryOf } from '../parts/label-format.ts'
import { openFile } from '../parts/save-file.ts'
import { Refused } from '../parts/states.tsx'
import { useSession } from '../session.tsx'

type PrintProps = {
  readonly batch: Answered<Schemas['Batch']>
  readonly format: LabelFormat
}

/** Prints every label of the batch in the format that was chosen last. */
export function PrintLabels({ batch, format }: PrintProps) {
  const { client } = useSession()
  const print = useMutation({
    mutationFn: () => printedLabels(client, { batch, format }),
    onSuccess: (bytes) => {
      const { fileName, type } = labelFileOf(bytes)
      openFile(fileName, type, new Uint8Array(bytes))
    },
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

type Lines = Pick<Input<'getBatchLabels'>, 'first_line' | 'last_line'>

/** About as long as a clerk waits. Labels that take longer are named on the first page. */
const patience = { retry: { requestsMax: 10, totalMs: 12_000 } }

/** Waits while the courier is making the last labels of a batch, and prints those that are there. */
export async function printedLabels(
  client: Client,
  { batch, format, lines = {} }: PrintProps & { readonly lines?: Lines },
): Promise<Answered<Uint8Array>> {
  const { batches } = client
  const style = await labelsQueryOf(client, format, batch.workspace_id)
  const query = { id: batch.id, ...style, ...lines }
  try {
    return await batches.getLabels({ ...query, complete: 'true' }, patience)
  } catch (error) {
    const isWaiting = error instanceof ShippingLedgerError && error.reason === 'label_not_ready'
    if (!isWaiting) throw error
    return await batches.getLabels(query)
  }
}
