import { i18n } from '@lingui/core'
import { useMutation } from '@tanstack/react-query'
import type { Answered, Schemas } from '../../client/methods.ts'
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
    mutationFn: () =>
      whenReady((complete) =>
        client.batches.getLabels({ id, ...labelQueryOf(format), ...complete }),
      ),
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
const waitsMax = 6
const waitMs = 2_000

/** Waits while the courier is making the last labels of a batch, and prints those that are there. */
export async function whenReady(
  read: (complete: { readonly complete?: 'true' }) => Promise<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>> {
  for (let waits = 0; waits < waitsMax; waits++) {
    try {
      return new Uint8Array(await read({ complete: 'true' }))
    } catch (error) {
      const isWaiting = error instanceof ShippingLedgerError && error.reason === 'label_not_ready'
      if (!isWaiting) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  return new Uint8Array(await read({}))
}

/** A name for a file, of letters, digits and a few signs. */
function safe(name: string): string {
  return name.replace(/[^\p{L}\p{N}._ -]+/gu, '-')
}
