import { i18n } from '@lingui/core'
import { Box, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { currentLanguage } from '../languages/language.ts'
import { ActButton } from '../parts/act-button.tsx'
import { openFile } from '../parts/save-file.ts'
import { Refused } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { type Invoice, isWithdrawn } from './invoice-findings.ts'
import { atStakeBy } from './invoice-money.ts'
import { LinesEvidence } from './work/lines-evidence.tsx'

/** The claim about the disputed lines, to send to the courier, once there are some. */
export function Claim({ invoice }: { readonly invoice: Invoice }) {
  const { client } = useSession()
  const { id, reference, version, decisions } = invoice
  const opening = useMutation({
    mutationFn: () => {
      const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
      return client.courierInvoices.getClaim({ id, time_zone, lang: currentLanguage() })
    },
    onSuccess: (bytes) =>
      openFile(
        `${i18n.t('claim-{reference}', { reference })}.pdf`,
        'application/pdf',
        new Uint8Array(bytes),
      ),
    gcTime: 0,
  })
  if (decisions.disputed === 0 || isWithdrawn(invoice)) return null
  const disputed = {
    finding: 'all',
    kind: null,
    show: 'disputed',
    version,
    isNewest: true,
    line: null,
  } as const
  return (
    <Box component="section" px="md" py="xs" className="warned" aria-label={i18n.t('Claim')}>
      <Group justify="space-between" gap="xs">
        <Text inherit m={0}>
          {claimText(invoice)}
        </Text>
        <Group gap="xs">
          <ActButton
            word={i18n.t('Open the claim')}
            scope="ledger:read"
            isPrimary
            isPending={opening.isPending}
            onAct={() => opening.mutate()}
          />
          <LinesEvidence invoiceId={id} view={disputed} />
        </Group>
        <Refused error={opening.error} />
      </Group>
    </Box>
  )
}

function claimText(invoice: Invoice): string {
  const { disputed: count } = invoice.decisions
  const money = atStakeBy(invoice, 'disputed')
  return money === null
    ? i18n.t(
        '{count, plural, one {The claim for the courier names one disputed line, without an amount.} other {The claim for the courier names # disputed lines, without an amount.}}',
        { count },
      )
    : i18n.t(
        '{count, plural, one {The claim for the courier is {money} for one disputed line.} other {The claim for the courier is {money} for # disputed lines.}}',
        { count, money },
      )
}
