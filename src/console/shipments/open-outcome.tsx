import { i18n } from '@lingui/core'
import { Button, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Shipment } from '../../client/methods.ts'

/** What is not known yet about the shipment, and the operation that clears it up. */
export function OpenOutcome({ shipment }: { readonly shipment: Shipment }) {
  const { status, operation_id: operationId } = shipment
  const words = operationId === null ? undefined : openOutcomes[status]?.()
  return (
    <div role="status" className="open-outcome">
      {words !== undefined && (
        <Group gap="xs" justify="space-between" px="md" py="xs" className="warned">
          <Text fz="inherit" flex="1 1 18rem" m={0}>
            {words}
          </Text>
          <Button component={Link} href={`/operations/${operationId}`} color="red.8">
            {i18n.t('Open the operation')}
          </Button>
        </Group>
      )}
    </div>
  )
}

const openOutcomes: Readonly<Partial<Record<string, () => string>>> = {
  unknown_outcome: () =>
    i18n.t(
      'It is not known yet whether the courier created a guide. The service is clearing this up with the courier. Do not send the order again.',
    ),
  cancelling: () =>
    i18n.t(
      'It is not known yet whether the guide is cancelled. The service is clearing this up with the courier. Until then, do not tell the customer that it is cancelled.',
    ),
}
