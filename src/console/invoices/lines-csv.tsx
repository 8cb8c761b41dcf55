import { i18n } from '@lingui/core'
import IconDownload from '@tabler/icons-react/icons/IconDownload'
import { useMutation } from '@tanstack/react-query'
import type { Input } from '../../client/methods.ts'
import { saveFile } from '../parts/save-file.ts'
import { Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { useSession } from '../session.tsx'

type CsvProps = {
  readonly invoiceId: string
  readonly query: Omit<Input<'downloadCourierInvoiceLines'>, 'id'>
  readonly word: string
}

/** Saves the lines with findings and decisions as the service's CSV. */
export function LinesCsv({ invoiceId, query, word }: CsvProps) {
  const { client } = useSession()
  const save = useMutation({
    mutationFn: () => client.courierInvoices.downloadLines({ id: invoiceId, ...query }),
    onSuccess: (bytes) =>
      saveFile(`courier-invoice-${invoiceId}.csv`, 'text/csv', new Uint8Array(bytes)),
    gcTime: 0,
  })
  return (
    <>
      <SteadyButton
        isOff={save.isPending}
        icon={<IconDownload size={14} />}
        onPress={() => save.mutate()}
      >
        {save.isPending ? i18n.t('Reading the lines…') : word}
      </SteadyButton>
      <Refused error={save.error} />
    </>
  )
}
