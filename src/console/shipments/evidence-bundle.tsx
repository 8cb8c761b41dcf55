import { i18n } from '@lingui/core'
import { Checkbox } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { currentLanguage } from '../languages/language.ts'
import { ActButton } from '../parts/act-button.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { saveFile } from '../parts/save-file.ts'
import { useMay } from '../parts/scopes.tsx'
import { Refused } from '../parts/states.tsx'
import { useSession } from '../session.tsx'

type BundleProps = { readonly shipmentId: string }

/** Saves a bundle that proves the shipment's history to people without access to the service. */
export function EvidenceBundle({ shipmentId }: BundleProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActButton
        word={i18n.t('Evidence bundle…')}
        scope="ledger:read"
        onAct={() => setOpen(true)}
      />
      {isOpen && <BundleDialog shipmentId={shipmentId} onClose={() => setOpen(false)} />}
    </>
  )
}

function BundleDialog({ shipmentId, onClose }: BundleProps & { readonly onClose: () => void }) {
  const { client } = useSession()
  const [isPersonal, setPersonal] = useState(false)
  const mayRead = { shipments: useMay('shipments:read'), operations: useMay('operations:read') }
  const mayIncludePersonal = mayRead.shipments && mayRead.operations
  const bundle = useMutation({
    mutationFn: () =>
      client.ledger.getShipmentEvidence({
        id: shipmentId,
        lang: currentLanguage(),
        time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        ...(isPersonal ? { include_personal: 'true' } : {}),
      }),
    onSuccess: (bytes) => {
      saveFile(`evidence-${shipmentId}.zip`, 'application/zip', new Uint8Array(bytes))
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={i18n.t('Save an evidence bundle?')}
      does={i18n.t('Save it')}
      isPending={bundle.isPending}
      onLeave={onClose}
      onConfirm={() => bundle.mutate()}
    >
      <p>
        {i18n.t(
          'A readable report, the whole history with its proofs, and a program that checks both without this service. The audit records that you created it.',
        )}
      </p>
      <Checkbox
        label={i18n.t('Include personal data, notes and the requests to the courier')}
        description={i18n.t(
          'The file is not protected. Share it only with people who may read this data.',
        )}
        checked={isPersonal}
        disabled={!mayIncludePersonal || bundle.isPending}
        onChange={(event) => setPersonal(event.currentTarget.checked)}
      />
      <Refused error={bundle.error} />
    </ConfirmDialog>
  )
}
