import { useMutation } from '@tanstack/react-query'
import type { Answered, Schemas } from '../../client/methods.ts'
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
    mutationFn: async () =>
      new Uint8Array(await client.batches.getLabels({ id, ...labelQueryOf(format) })),
    onSuccess: (bytes) => openFile(`labels ${safe(name)}.${extension}`, type, bytes),
    gcTime: 0,
  })
  return (
    <>
      <ActButton
        word={print.isPending ? 'Making the labels…' : 'Print labels'}
        scope="shipments:read"
        isPrimary
        isPending={print.isPending}
        onAct={() => print.mutate()}
      />
      <Refused error={print.error} />
    </>
  )
}

/** A name for a file, of letters, digits and a few signs. */
function safe(name: string): string {
  return name.replace(/[^\p{L}\p{N}._ -]+/gu, '-')
}
